// The picture of a position, with places to click, the heat map and the picked places.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Clicks, type Picture, type Place, placesOf, readPicture } from "./places";
import type { Position, Report } from "./api";
import { type Measure, measured } from "./measure";

interface Props {
  position: Position;
  /** Called with a move. Without it, the board cannot be clicked. */
  onMove?: ((move: string) => void) | undefined;
  report?: Report | undefined;
  /** The statistic of the heat map, if it is on. */
  heat?: Measure | undefined;
  /** A move to highlight. */
  pointed?: string | undefined;
  label?: string;
}

export function Board({ position, onMove, report, heat, pointed, label }: Props) {
  const picture = useMemo(() => readPicture(position.picture), [position.picture]);
  const clicks = useMemo(() => new Clicks(position.turn === "player" ? position.legal : [], picture.at), [picture, position.legal, position.turn]);
  const [picked, setPicked] = useState<string[]>([]);
  const [choices, setChoices] = useState<string[]>([]);
  const overlay = useRef<SVGSVGElement>(null);
  useEffect(() => {
    setPicked(clicks.given());
    setChoices([]);
  }, [clicks]);

  const open = onMove ? clicks.next(picked) : new Set<string>();
  const act = (name: string) => {
    if (!onMove) return;
    const step = clicks.click(picked, name);
    if (step.kind === "play") onMove(step.move);
    else if (step.kind === "pick") {
      setPicked(step.picked);
      setChoices(step.choices);
    } else if (position.turn === "player") onMove(name); // Games can accept more notations than they list.
  };
  const key = (event: JSX.TargetedKeyboardEvent<SVGCircleElement>, place: Place) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act(place.name);
      return;
    }
    const way = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as Record<string, [number, number]>)[event.key];
    if (!way) return;
    event.preventDefault();
    const to = neighbour(place, way, picture.places.filter((other) => open.has(other.name)));
    overlay.current?.querySelector<SVGCircleElement>(`[data-at="${CSS.escape(to?.name ?? "")}"]`)?.focus();
  };

  return (
    <figure class="board" aria-label={label ?? `${position.game}, the board`}>
      <div class="picture" dangerouslySetInnerHTML={{ __html: picture.svg }} aria-hidden="true" />
      <svg ref={overlay} class="overlay" viewBox={`0 0 ${picture.width} ${picture.height}`}>
        {heat && report && <Heat picture={picture} report={report} heat={heat} />}
        {picked.map((name) => {
          const place = picture.at.get(name);
          return place && <circle key={`p${name}`} class="picked" cx={place.x} cy={place.y} r={place.r * 0.86} />;
        })}
        {pointed && <Pointed picture={picture} move={pointed} />}
        {onMove &&
          picture.places.map((place, i) => {
            const legal = open.has(place.name);
            const first = picture.at.get(place.name) === place;
            return (
              <g key={`${place.name}/${i}`}>
                {legal && first && !heat && <circle class="legal" cx={place.x} cy={place.y} r={Math.min(place.r * 0.2, 5)} />}
                <circle
                  class={legal ? "place open" : "place"}
                  data-at={place.name}
                  cx={place.x}
                  cy={place.y}
                  r={place.r}
                  tabindex={legal && first ? 0 : -1}
                  role={legal ? "button" : undefined}
                  aria-label={legal ? place.name : undefined}
                  onClick={() => act(place.name)}
                  onKeyDown={(event) => key(event, place)}
                />
              </g>
            );
          })}
      </svg>
      {choices.length > 0 && (
        <div class="choices" role="dialog" aria-label="Which move?">
          {choices.map((move) => (
            <button type="button" key={move} onClick={() => onMove?.(move)}>
              {move}
            </button>
          ))}
        </div>
      )}
    </figure>
  );
}

/** The nearest place in a direction. */
function neighbour(from: Place, [dx, dy]: [number, number], places: Place[]): Place | undefined {
  const cost = (place: Place) => {
    const [x, y] = [place.x - from.x, place.y - from.y];
    const [along, aside] = [x * dx + y * dy, Math.abs(x * dy - y * dx)];
    return along > 1 ? along + 2.5 * aside : Infinity;
  };
  const best = places.reduce<Place | undefined>((a, b) => (a && cost(a) <= cost(b) ? a : b), undefined);
  return best && cost(best) < Infinity ? best : undefined;
}

const COLD = [104, 138, 168];
const WARM = [232, 160, 52];
const HOT = [196, 42, 36];

/** A colour from cold to hot that is readable on wood and on every piece. */
export function warmth(share: number): string {
  const [from, to, part] = share < 0.5 ? [COLD, WARM, 2 * share] : [WARM, HOT, 2 * share - 1];
  return `rgb(${from.map((low, i) => Math.round(low + part * ((to[i] as number) - low))).join(" ")})`;
}

function Heat({ picture, report, heat }: { picture: Picture; report: Report; heat: Measure }) {
  const values = measured(report, heat);
  const most = Math.max(...values.map(({ share }) => share), 1e-9);
  const best = report.moves[0]?.move;
  // In rising order, so that the strongest move to a place is on top.
  const shown = [...values].sort((a, b) => a.share - b.share);
  return (
    <g class="heat">
      {shown.map(({ move, share, text }) => {
        const places = placesOf(move, picture.at).map((name) => picture.at.get(name) as Place);
        const [from, to] = [places[0], places[places.length - 1]];
        if (!from || !to || share <= 0) return null;
        const warm = share / most;
        const strong = warm > 0.12 || move === best;
        const bold = move === best ? " best" : "";
        if (from !== to) {
          return (
            <g key={move} opacity={0.25 + 0.75 * warm}>
              <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} stroke={warmth(warm)} stroke-width={2 + 7 * warm} stroke-linecap="round" />
              <circle cx={to.x} cy={to.y} r={4 + 4 * warm} fill={warmth(warm)} class={bold} />
            </g>
          );
        }
        return (
          <g key={move}>
            <circle class={`spot${bold}`} cx={to.x} cy={to.y} r={to.r * (0.32 + 0.56 * Math.sqrt(warm))} fill={warmth(warm)} opacity={0.35 + 0.6 * warm} />
            {strong && (
              <text x={to.x} y={to.y} font-size={to.r * 0.58}>
                {text}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

function Pointed({ picture, move }: { picture: Picture; move: string }) {
  const places = placesOf(move, picture.at).map((name) => picture.at.get(name) as Place);
  const [from, to] = [places[0], places[places.length - 1]];
  if (!from || !to) return null;
  return (
    <g class="pointed">
      {from !== to && <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />}
      <circle cx={to.x} cy={to.y} r={to.r * 0.92} />
    </g>
  );
}
