// The inside of a search: its statistics of each move, its history, and its tree.

import { useEffect, useRef, useState } from "preact/hooks";
import { look, type Position, position as positionOf, type Report } from "./api";
import { count, DIFFERS, has, MEASURES, type Measure } from "./measure";
import type { Story } from "./search";
import { Table, Versus } from "./table";

/** What the board shows instead of the game. */
export interface Shown {
  position: Position;
  report?: Report | undefined;
}

export function Inside({ game, moves, story, onShow, onPoint, agent }: {
  game: string;
  moves: string[];
  story: Story;
  agent: string;
  onShow: (shown: Shown | undefined) => void;
  onPoint: (move: string | undefined) => void;
}) {
  const [mark, setMark] = useState<number | undefined>(undefined);
  const [path, setPath] = useState<string[]>([]);
  const [below, setBelow] = useState<Report | undefined>(undefined);
  const [error, setError] = useState("");
  const [picked, setPicked] = useState<string[]>([]);
  const key = `${game} ${moves.join(" ")} ${agent}`;
  useEffect(() => {
    setMark(undefined);
    setPath([]);
    setPicked([]);
    onShow(undefined);
  }, [key]);

  const root = mark === undefined ? story.report : (story.marks[mark] ?? story.report);
  const report = path.length > 0 ? below : root;

  useEffect(() => {
    setError("");
    if (path.length === 0) {
      setBelow(undefined);
      // An earlier report of the search is shown on the current position.
      base.current = undefined;
      if (mark === undefined) return onShow(undefined);
      let wanted = true;
      void positionOf(game, moves).then((position) => {
        if (!wanted) return;
        base.current = { position, report: root };
        onShow(base.current);
      });
      return () => {
        wanted = false;
      };
    }
    let wanted = true;
    if (story.id) {
      Promise.all([look(story.id, path), positionOf(game, [...moves, ...path])])
        .then(([report, position]) => {
          if (!wanted) return;
          setBelow(report);
          base.current = { position, report };
          onShow(base.current);
        })
        .catch((error: Error) => wanted && setError(error.message));
    }
    return () => {
      wanted = false;
    };
  }, [path.join(" "), mark, story.state === "done", story.id]);

  const enter = (move: string) => {
    setPicked([]);
    setPath([...path, move]);
  };
  const pick = (move: string) => setPicked((old) => (old.includes(move) ? old.filter((other) => other !== move) : [...old.slice(-1), move]));
  // What the board shows without a preview, and the line that is previewed.
  const base = useRef<Shown | undefined>(undefined);
  const wish = useRef("");
  const preview = (line: string[] | undefined) => {
    wish.current = line?.join(" ") ?? "";
    if (!line) return onShow(base.current);
    void positionOf(game, [...moves, ...path, ...line]).then((position) => wish.current === line.join(" ") && onShow({ position }));
  };
  const last = story.marks.length - 1;

  if (story.error) return <p class="error">{story.error}</p>;
  if (!root) return <p class="soft">{story.state === "waiting" ? "Waiting for other searches…" : "Searching…"}</p>;
  return (
    <div class="inside" data-ply={moves.length} data-state={story.state}>
      <p class="facts">
        <span class={`state ${story.state}`}>{story.state}</span>
        <b>{agent}</b> · {count(root.playouts)} playouts
        {root.time_s > 0 && <> · {count(Math.round(root.playouts / root.time_s))}/s</>} · {count(root.nodes)} nodes{root.full && " · tree full"}
      </p>
      {!root.deterministic && <p class="soft hint">{DIFFERS}</p>}
      {last > 0 && (
        <label class="slider">
          <span>Replay the search</span>
          <input type="range" min={0} max={last} value={mark ?? last} aria-label="Replay the search" onInput={(event) => {
            const at = Number(event.currentTarget.value);
            setPath([]);
            setMark(at === last ? undefined : at);
          }} />
          <output>{count((mark === undefined ? root : (story.marks[mark] as Report)).playouts)}</output>
        </label>
      )}
      <nav class="crumbs" aria-label="Path in the tree">
        <button type="button" class="quiet" disabled={path.length === 0} onClick={() => setPath([])}>
          root
        </button>
        {path.map((move, i) => (
          <span key={`${i}${move}`}>
            ›{" "}
            <button type="button" class="quiet" disabled={i === path.length - 1} onClick={() => setPath(path.slice(0, i + 1))}>
              {move}
            </button>
          </span>
        ))}
        {path.length > 0 && report && <small>{count(report.playouts)} playouts</small>}
      </nav>
      {error && (
        <p class="soft">
          {error}.{" "}
          <button type="button" class="quiet" onClick={() => setPath(path.slice(0, -1))}>
            back
          </button>
        </p>
      )}
      {report && report.moves.length > 0 && (
        <>
          <Table report={report} onPoint={onPoint} onEnter={story.id ? enter : undefined} picked={picked} onPick={pick} />
          {report.principal_variation.length > 0 && (
            <p class="line" onMouseLeave={() => preview(undefined)}>
              <span class="soft">Expected line</span>{" "}
              {report.principal_variation.slice(0, 14).map((move, i) => (
                <button type="button" class="quiet ply" key={`${i}${move}`} onMouseEnter={() => preview(report.principal_variation.slice(0, i + 1))} onFocus={() => preview(report.principal_variation.slice(0, i + 1))} onBlur={() => preview(undefined)}>
                  {move}
                </button>
              ))}
            </p>
          )}
          {picked.length === 2 ? (
            <Versus report={report} a={picked[0] as string} b={picked[1] as string} />
          ) : (
            <p class="soft hint">
              {picked.length === 1 ? "Select a second move to compare the two." : "Select two moves to compare them; ▸ opens the node of a move."}
              {path.length === 0 && has(report, "permutation") && agree(report) && " At the root, AMAF and permutation statistics are equal; below it they differ."}
            </p>
          )}
        </>
      )}
      {report && report.moves.length === 0 && <p class="soft">The game ends here.</p>}
    </div>
  );
}

/** Whether AMAF and permutation statistics count the same playouts for every move. */
const agree = (report: Report) => report.moves.every(({ amaf, permutation }) => amaf?.count === permutation?.count);

/** Chooses the statistic of the heat map. */
export function HeatSwitch({ heat, onHeat, report }: { heat: Measure | undefined; onHeat: (heat: Measure | undefined) => void; report: Report | undefined }) {
  return (
    <div class="switch" role="radiogroup" aria-label="Heat map">
      <button type="button" role="radio" aria-checked={heat === undefined} onClick={() => onHeat(undefined)}>
        Off
      </button>
      {MEASURES.map(({ key, title, about }) => (
        <button type="button" role="radio" key={key} class={key} aria-checked={heat === key} title={about} disabled={report !== undefined && !has(report, key)} onClick={() => onHeat(key)}>
          {title}
        </button>
      ))}
    </div>
  );
}

/** The expected reward of the player to move. */
export const worth = (report: Report) => {
  const best = report.moves[0];
  return best ? (best.proven ?? best.mean) : undefined;
};
