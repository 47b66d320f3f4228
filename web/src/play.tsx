// Play: a game between you and agents, with the inside of the search beside it.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Position, position as positionOf, type SearchRequest } from "./api";
import { Board } from "./board";
import { Chart } from "./chart";
import { Compare } from "./compare";
import { BASIC_AGENTS, BASIC_GAMES, type Budget, BudgetForm, type Registry, SpecForm } from "./forms";
import { HeatSwitch, Inside, type Shown, worth } from "./inside";
import { type Measure, outcome } from "./measure";
import { Clicks, PLAYERS, readPicture } from "./places";
import { download, fitsSgf, type GameText, hashOf, readRecord, writeRecord, writeSgf } from "./records";
import { useSearch } from "./search";

/** A seat that a human holds. */
const YOU = "you";

/** An agent that moves shows for so long what it thought. */
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

  // A position that belongs to other moves is still on its way to being replaced.
  const current = position && position.moves.length === past.length && position.moves.join(" ") === key ? position : undefined;
  const seat = current?.player ? seats[current.player - 1] : undefined;
  const mine = current?.turn === "player" && (seat === YOU || !live);
  const thinks = current?.turn === "player" && live && seat !== undefined && seat !== YOU;
  const searcher = thinks ? seat : mine && analysing ? analyst : undefined;
  const request: SearchRequest | undefined =
    searcher && current ? { game, moves: past, agent: searcher, ...budget, seed: thinks ? seed.current + at : 1 } : undefined;
  const story = useSearch(request);

  // What the search says the position is worth.
  useEffect(() => {
    const report = story?.report;
    const value = report && worth(report);
    if (report?.player && value !== undefined && current) setValues((old) => ({ ...old, [key]: { player: report.player as number, value } }));
  }, [story?.report]);

  // An agent has made up its mind.
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
  // Back to the last turn of a human before this one.
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
  const stones = useMemo(() => (position ? readPicture(position.picture).stones : PLAYERS), [position?.picture]);
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
            <i class="stone" style={{ background: stones[i] }} aria-hidden="true" />
            <SpecForm kind={`Seat ${i + 1}`} list={registry.agents} spec={agent} extra={[{ value: YOU, title: "You" }]} basic={BASIC_AGENTS} onSpec={(spec) => setSeats(seats.map((old, seat) => (seat === i ? spec : old)))} />
          </div>
        ))}
        <label class="field">
          <span>Think for</span>
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
            "The die rolls…"
          ) : current?.player ? (
            <>
              <i class="stone" style={{ background: stones[current.player - 1] }} />
              {!live ? `After ${at} of ${moves.length} moves` : seat === YOU ? "Your move" : `${seat} thinks`}
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
          <p class="soft">Tab to the board, arrows and Enter · u undo · n new game · [ ] back and forward · 0 to 4 the heat map</p>
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
                <input type="checkbox" checked={analysing} onChange={(event) => setAnalysing(event.currentTarget.checked)} /> on my turns with
              </label>
              <SpecForm kind="Analyst" list={registry.agents} spec={analyst} onSpec={setAnalyst} basic={BASIC_AGENTS} />
            </div>
            {story && searcher ? (
              <Inside game={game} moves={past} story={story} agent={searcher} onShow={setShown} onPoint={setPointed} />
            ) : (
              <p class="soft">{current?.turn === "over" ? "The game is over. Step back to see what the search thought." : "Nobody searches now."}</p>
            )}
          </>
        )}
        <Worth values={values} moves={moves} players={seats.length} onPly={setAt} />
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
          <button type="button" onClick={() => void navigator.clipboard?.writeText(location.href).then(() => setSaid("link copied"), () => setSaid("copy the address of this page"))}>
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

/** What the searches said of the game, move by move. */
function Worth({ values, moves, players, onPly }: { values: Record<string, { player: number; value: number }>; moves: string[]; players: number; onPly: (ply: number) => void }) {
  const plies = Array.from({ length: moves.length + 1 }, (_, ply) => values[moves.slice(0, ply).join(" ")]);
  if (plies.filter(Boolean).length < 2) return null;
  const of = (player: number) =>
    plies.map((known) => (!known ? null : known.player === player ? known.value : players === 2 ? 1 - known.value : null));
  const lines = Array.from({ length: players === 2 ? 1 : players }, (_, i) => i + 1);
  return (
    <div class="worth">
      <h3>{players === 2 ? "What player 1 can expect" : "What each player can expect"}</h3>
      <Chart x={plies.map((_, ply) => ply)} height={130} range={[0, 1]} label="Expected reward over the game" onX={onPly} series={lines.map((player) => ({ label: `player ${player}`, colour: PLAYERS[player - 1] as string, values: of(player) }))} />
    </div>
  );
}
