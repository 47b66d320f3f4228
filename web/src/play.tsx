// Play: a game between humans and agents, with the inside of the search beside it.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Position, position as positionOf, type SearchRequest } from "./api";
import { Board } from "./board";
import { Chart } from "./chart";
import { Compare } from "./compare";
import { BASIC_AGENTS, BASIC_GAMES, type Budget, BudgetForm, type Registry, SpecForm } from "./forms";
import { HeatSwitch, Inside, type Shown, worth } from "./inside";
import { type Measure, outcome } from "./measure";
import { Clicks, readPicture } from "./places";
import { download, fitsSgf, type GameText, hashOf, readRecord, writeRecord, writeSgf } from "./records";
import { useSearch } from "./search";

/** The seat of a human. */
const YOU = "you";

/** How long the result of a search stays on the board before the agent moves, in milliseconds. */
const PAUSE = 220;

export function Play({ registry, start }: { registry: Registry; start: GameText | undefined }) {
  const [game, setGame] = useState(start?.game ?? "hex:7");
  const [moves, setMoves] = useState<string[]>(start?.moves ?? []);
  const [at, setAt] = useState(start?.moves.length ?? 0);
  const [seats, setSeats] = useState<string[]>(start?.seats ?? [YOU, "mcps"]);
  const [budget, setBudget] = useState<Budget>({ playouts: 5000 });
  const [analyst, setAnalyst] = useState("mcps");
  const [analysing, setAnalysing] = useState(true);
  const [heat, setHeat] = useState<Measure | undefined>("visits");
  const [tab, setTab] = useState<"inside" | "compare">("inside");
  const [position, setPosition] = useState<Position | undefined>(undefined);
  const [error, setError] = useState("");
  const [said, setSaid] = useState("");
  const [shown, setShown] = useState<Shown | undefined>(undefined);
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  const [values, setValues] = useState<Record<string, { player: number; value: number }>>({});
  const seed = useRef(1 + (Date.now() % 1_000_000));

  const past = useMemo(() => moves.slice(0, at), [moves, at]);
  const key = past.join(" ");
  const live = at === moves.length;

  useEffect(() => {
    let wanted = true;
    positionOf(game, past)
      .then((found) => {
        if (!wanted) return;
        setPosition(found);
        setError("");
        setSeats((old) => (old.length === found.players ? old : Array.from({ length: found.players }, (_, i) => old[i] ?? "mcps")));
      })
      .catch((refused: Error) => wanted && setError(refused.message));
    return () => {
      wanted = false;
    };
  }, [game, key]);
  useEffect(() => history.replaceState(null, "", hashOf({ game, moves, seats })), [game, moves, seats]);

  // Undefined until the position of these moves has arrived.
  const current = position && position.moves.length === past.length && position.moves.join(" ") === key ? position : undefined;
  const seat = current?.player ? seats[current.player - 1] : undefined;
  const mine = current?.turn === "player" && (seat === YOU || !live);
  const thinks = current?.turn === "player" && live && seat !== undefined && seat !== YOU;
  const searcher = thinks ? seat : mine && analysing ? analyst : undefined;
  const request: SearchRequest | undefined =
    searcher && current ? { game, moves: past, agent: searcher, ...budget, seed: thinks ? seed.current + at : 1 } : undefined;
  const story = useSearch(request);

  // The expected reward of this position.
  useEffect(() => {
    const report = story?.report;
    const value = report && worth(report);
    const player = report?.turn;
    if (player && value !== undefined && current) setValues((old) => ({ ...old, [key]: { player, value } }));
  }, [story?.report]);

  // The agent plays when its search has ended.
  const choice = thinks && (story?.state === "done" || story?.state === "stopped") ? story.report?.moves[0]?.move : undefined;
  useEffect(() => {
    if (choice === undefined) return;
    const timer = setTimeout(() => play(choice), PAUSE);
    return () => clearTimeout(timer);
  }, [choice, key]);

  // Chance.
  useEffect(() => {
    if (!live || current?.turn !== "chance") return;
    const timer = setTimeout(() => {
      positionOf(game, past, seed.current)
        .then((found) => {
          setMoves(found.moves);
          setAt(found.moves.length);
        })
        .catch((refused: Error) => setError(refused.message));
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [current, live]);

  const play = (move: string) => {
    const next = [...past, move];
    positionOf(game, next)
      .then((found) => {
        setPosition(found);
        setMoves(found.moves);
        setAt(found.moves.length);
        setShown(undefined);
        setSaid("");
      })
      .catch(() => undefined);
  };
  const begin = (spec: string) => {
    seed.current = 1 + (Date.now() % 1_000_000);
    positionOf(spec, [])
      .then(() => {
        setGame(spec);
        setMoves([]);
        setAt(0);
        setValues({});
        setShown(undefined);
        setError("");
      })
      .catch((refused: Error) => setError(refused.message));
  };
  // Goes back to the previous turn of a human.
  const undo = async () => {
    let end = moves.length;
    while (end > 0) {
      end -= 1;
      const before = await positionOf(game, moves.slice(0, end));
      if (before.player && (seats[before.player - 1] === YOU || !seats.includes(YOU))) break;
    }
    setMoves(moves.slice(0, end));
    setAt(end);
    setShown(undefined);
  };

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.target as HTMLElement).closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
      const act: Record<string, () => void> = {
        u: () => void undo(),
        n: () => begin(game),
        "[": () => setAt(Math.max(0, at - 1)),
        "]": () => setAt(Math.min(moves.length, at + 1)),
        "0": () => setHeat(undefined),
        "1": () => setHeat("visits"),
        "2": () => setHeat("mean"),
        "3": () => setHeat("amaf"),
        "4": () => setHeat("permutation"),
      };
      act[event.key]?.();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });

  const entry = registry.games.find(({ name }) => name === game.split(":")[0]);
  const name = (player: number) => (seats[player - 1] === YOU ? "You" : `Player ${player}`);
  const picture = useMemo(() => current && readPicture(current.picture), [current]);
  const others = useMemo(() => (current && picture && mine ? new Clicks(current.legal, picture.at).others() : []), [current, picture, mine]);
  const colours = position?.colours ?? [];
  const board = shown?.position ?? position;
  const report = shown ? shown.report : story?.report;
  const record = { game, moves, seats };

  const load = (file: File | undefined) => {
    void file?.text().then((text) => {
      try {
        const found = readRecord(text);
        positionOf(found.game, found.moves)
          .then((position) => {
            setGame(found.game);
            setMoves(position.moves);
            setAt(position.moves.length);
            setSeats(Array.from({ length: position.players }, () => YOU));
            setValues({});
          })
          .catch((refused: Error) => setError(refused.message));
      } catch (wrong) {
        setError((wrong as Error).message);
      }
    });
  };

  return (
    <div class="play">
      <section class="setup card" aria-label="The game">
        <SpecForm kind="Game" list={registry.games} spec={game} onSpec={begin} basic={BASIC_GAMES} />
        {seats.map((agent, i) => (
          <div class="seat" key={i}>
            <i class="stone" style={{ background: colours[i] }} aria-hidden="true" />
            <SpecForm kind={`Seat ${i + 1}`} list={registry.agents} spec={agent} extra={[{ value: YOU, title: "You" }]} basic={BASIC_AGENTS} onSpec={(spec) => setSeats(seats.map((old, seat) => (seat === i ? spec : old)))} />
          </div>
        ))}
        <label class="field">
          <span>Budget</span>
          <BudgetForm label="Budget" budget={budget} onBudget={setBudget} />
        </label>
      </section>

      <section class="table" aria-label="The board">
        <p class="status" role="status" aria-live="polite" data-turn={error ? "error" : !current ? "wait" : current.turn !== "player" ? current.turn : mine ? "yours" : "theirs"}>
          {error ? (
            <span class="error">{error}</span>
          ) : current?.turn === "over" ? (
            <b>{outcome(current.rewards ?? [], name)}</b>
          ) : current?.turn === "chance" ? (
            "Rolling…"
          ) : current?.player ? (
            <>
              <i class="stone" style={{ background: current.colours[current.player - 1] }} />
              {!live ? `After ${at} of ${moves.length} moves` : seat === YOU ? "Your move" : `${seat} is thinking`}
              {said && <span class="soft"> · {said}</span>}
            </>
          ) : (
            " "
          )}
        </p>
        {board && <Board position={board} onMove={mine && !shown ? play : undefined} report={report} heat={heat} pointed={pointed} />}
        {others.length > 0 && mine && !shown && (
          <div class="others" role="group" aria-label="Other moves">
            {others.slice(0, 40).map((move) => (
              <button type="button" key={move} onClick={() => play(move)}>
                {move}
              </button>
            ))}
          </div>
        )}
        <HeatSwitch heat={heat} onHeat={setHeat} report={report} />
        <div class="controls">
          <button type="button" onClick={() => void undo()} disabled={moves.length === 0} title="u">
            Undo
          </button>
          <button type="button" onClick={() => begin(game)} title="n">
            New game
          </button>
          <span class="steps">
            <button type="button" class="quiet" aria-label="To the start" disabled={at === 0} onClick={() => setAt(0)}>|◀</button>
            <button type="button" class="quiet" aria-label="Back" title="[" disabled={at === 0} onClick={() => setAt(at - 1)}>◀</button>
            <button type="button" class="quiet" aria-label="Forward" title="]" disabled={live} onClick={() => setAt(at + 1)}>▶</button>
            <button type="button" class="quiet" aria-label="To the end" disabled={live} onClick={() => setAt(moves.length)}>▶|</button>
          </span>
        </div>
        {mine && current && (
          <details class="legal-list">
            <summary>{current.legal.length} legal moves</summary>
            <div class="others">
              {current.legal.map((move) => (
                <button type="button" key={move} onMouseEnter={() => setPointed(move)} onMouseLeave={() => setPointed(undefined)} onClick={() => play(move)}>
                  {move}
                </button>
              ))}
            </div>
          </details>
        )}
        <details>
          <summary>Keys</summary>
          <p class="soft">Tab to the board, then arrows and Enter · u undo · n new game · [ ] back and forward · 0 to 4 heat map</p>
        </details>
        {entry && (
          <details>
            <summary>Rules of {entry.title}</summary>
            <p class="rules">{entry.rules}</p>
            <p class="soft">{entry.source}</p>
          </details>
        )}
      </section>

      <section class="think card" aria-label="Look inside the search">
        <div class="tabs" role="tablist">
          <button type="button" role="tab" aria-selected={tab === "inside"} onClick={() => setTab("inside")}>Look inside</button>
          <button type="button" role="tab" aria-selected={tab === "compare"} onClick={() => setTab("compare")}>Compare two agents</button>
        </div>
        {tab === "compare" ? (
          current && <Compare registry={registry} game={game} moves={past} position={current} heat={heat} budget={budget} />
        ) : (
          <>
            <div class="row">
              <label class="check">
                <input type="checkbox" checked={analysing} onChange={(event) => setAnalysing(event.currentTarget.checked)} /> Analyse my turns with
              </label>
              <SpecForm kind="Analyst" list={registry.agents} spec={analyst} onSpec={setAnalyst} basic={BASIC_AGENTS} />
            </div>
            {story && searcher ? (
              <Inside game={game} moves={past} story={story} agent={searcher} onShow={setShown} onPoint={setPointed} />
            ) : (
              <p class="soft">{current?.turn === "over" ? "The game is over. Step back to analyse an earlier position." : "No search is running."}</p>
            )}
          </>
        )}
        <Worth values={values} moves={moves} colours={colours} onPly={setAt} />
      </section>

      <section class="record card" aria-label="The record">
        <p class="moves-played">
          {moves.length === 0 && <span class="soft">No moves yet.</span>}
          {moves.map((move, i) => (
            <button type="button" key={i} class={`quiet ply${i + 1 === at ? " now" : ""}`} onClick={() => setAt(i + 1)}>
              {move}
            </button>
          ))}
        </p>
        <div class="controls">
          <button type="button" onClick={() => void navigator.clipboard?.writeText(location.href).then(() => setSaid("link copied"), () => setSaid("cannot copy: use the address of this page"))}>
            Copy link
          </button>
          <button type="button" onClick={() => download(`${game.split(":")[0]}.txt`, writeRecord(record, current?.rewards ?? undefined))}>Save</button>
          {fitsSgf(game) && picture && (
            <button type="button" onClick={() => download(`${game.split(":")[0]}.sgf`, writeSgf(record, Math.max(...[...picture.at.keys()].map((place) => Number(place.slice(1))))))}>SGF</button>
          )}
          <label class="button">
            Load
            <input type="file" accept=".txt,.sgf,text/plain" hidden onChange={(event) => load(event.currentTarget.files?.[0])} />
          </label>
        </div>
      </section>
    </div>
  );
}

/** The expected rewards over the game. */
function Worth({ values, moves, colours, onPly }: { values: Record<string, { player: number; value: number }>; moves: string[]; colours: string[]; onPly: (ply: number) => void }) {
  const players = colours.length;
  const plies = Array.from({ length: moves.length + 1 }, (_, ply) => values[moves.slice(0, ply).join(" ")]);
  if (plies.filter(Boolean).length < 2) return null;
  const of = (player: number) =>
    plies.map((known) => (!known ? null : known.player === player ? known.value : players === 2 ? 1 - known.value : null));
  const lines = Array.from({ length: players === 2 ? 1 : players }, (_, i) => i + 1);
  return (
    <div class="worth">
      <h3>{players === 2 ? "Expected reward of player 1" : "Expected reward of each player"}</h3>
      <Chart x={plies.map((_, ply) => ply)} height={130} range={[0, 1]} label="Expected reward over the game" onX={onPly} series={lines.map((player) => ({ label: `player ${player}`, colour: colours[player - 1] as string, outlined: true, values: of(player) }))} />
    </div>
  );
}
