// A guided tour of AMAF and permutation statistics on a 5x5 Hex board. The searches behind its numbers run live.

import { useEffect, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { look, type Position, position as positionOf, type Report } from "./api";
import { Board } from "./board";
import { count, type Measure, percent, three } from "./measure";
import { useSearch } from "./search";
import { Table } from "./table";

const GAME = "hex:5";
/** Red took the centre, and blue replied. */
const MOVES = ["c3", "b4"];
const FEW = 40;
const MANY = 3000;

export function Learn() {
  const [step, setStep] = useState(0);
  const steps = [Playouts, Own, Amaf, Permutations, Together];
  const Step = steps[step] as (typeof steps)[number];
  return (
    <div class="learn">
      <ol class="stations" aria-label="The tour">
        {["Playouts", "A move's own results", "AMAF", "Permutations", "All three"].map((title, i) => (
          <li key={title} class={i === step ? "now" : ""}>
            <button type="button" class="quiet" aria-current={i === step ? "step" : undefined} onClick={() => setStep(i)}>
              <b>{i + 1}</b> {title}
            </button>
          </li>
        ))}
      </ol>
      <Step />
      <div class="controls">
        <button type="button" disabled={step === 0} onClick={() => setStep(step - 1)}>
          Back
        </button>
        <button type="button" class="primary" disabled={step === steps.length - 1} onClick={() => setStep(step + 1)}>
          Next
        </button>
      </div>
    </div>
  );
}

function Station({ title, position, report, heat, pointed, children }: {
  title: string;
  position: Position | undefined;
  report?: Report | undefined;
  heat?: Measure;
  pointed?: string | undefined;
  children: ComponentChildren;
}) {
  return (
    <div class="station card">
      <div>{position && <Board position={position} report={report} heat={report && heat} pointed={pointed} />}</div>
      <div class="text">
        <h2>{title}</h2>
        {children}
      </div>
    </div>
  );
}

function usePosition(moves: string[]): Position | undefined {
  const [position, setPosition] = useState<Position | undefined>(undefined);
  useEffect(() => void positionOf(GAME, moves).then(setPosition, () => undefined), [moves.join(" ")]);
  return position;
}

/** A random game from this position. */
async function randomGame(): Promise<string[]> {
  const moves = [...MOVES];
  for (;;) {
    const { legal } = await positionOf(GAME, moves);
    if (legal.length === 0) return moves;
    moves.push(legal[Math.floor(Math.random() * legal.length)] as string);
  }
}

function Playouts() {
  const [played, setPlayed] = useState<string[]>(MOVES);
  const [games, setGames] = useState<string[][]>([]);
  const [running, setRunning] = useState(false);
  const position = usePosition(played);
  const run = async () => {
    setRunning(true);
    const game = await randomGame();
    for (let ply = MOVES.length; ply <= game.length; ply++) {
      setPlayed(game.slice(0, ply));
      await new Promise((resolve) => setTimeout(resolve, 70));
    }
    setGames((old) => [game, ...old].slice(0, 5));
    setRunning(false);
  };
  const red = position?.rewards?.[0] === 1;
  return (
    <Station title="A playout is a game of random moves" position={position}>
      <p>
        Red connects top and bottom, blue left and right. Red has played c3, blue b4, and it is red's turn. Which move is best? A Monte Carlo search knows the rules of Hex, but no strategy. It plays
        random games to the end and counts the wins.
      </p>
      <p>
        <button type="button" class="primary" disabled={running} onClick={() => void run()}>
          Play a random game
        </button>{" "}
        {position?.turn === "over" && <b style={{ color: position.colours[red ? 0 : 1] }}>{red ? "Red won." : "Blue won."}</b>}
      </p>
      {games.length > 0 && (
        <ul class="playouts">
          {games.map((game, i) => (
            <li key={`${i}${game.join()}`}>
              {game.slice(MOVES.length).map((move, ply) => (
                <span key={ply} style={{ background: position?.colours[ply % 2] }}>
                  {move}
                </span>
              ))}
            </li>
          ))}
        </ul>
      )}
      {games.length > 1 && <p>Compare red's moves in two of the games: many cells appear in both, in a different order. The rest of this tour builds on that.</p>}
    </Station>
  );
}

function Own() {
  const position = usePosition(MOVES);
  const story = useSearch({ game: GAME, moves: MOVES, agent: "uct", playouts: FEW, seed: 1 });
  const report = story?.report;
  const tried = report?.moves.filter((found) => found.visits > 0).length ?? 0;
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  return (
    <Station title="A move's own results are few" position={position} report={report} heat="visits" pointed={pointed}>
      <p>
        <b>UCT</b> keeps, for each move, the results of the playouts that start with it. After {FEW} playouts it has tried {tried} moves, the best one {report?.moves[0]?.visits ?? 0} times. The mean
        of so few games says little.
      </p>
      {report && <Table report={report} onPoint={setPointed} />}
    </Station>
  );
}

function Amaf() {
  const position = usePosition(MOVES);
  const story = useSearch({ game: GAME, moves: MOVES, agent: "grave", playouts: FEW, seed: 1 });
  const report = story?.report;
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  const best = report?.moves[0];
  return (
    <Station title="AMAF: all moves as first" position={position} report={report} heat="amaf" pointed={pointed}>
      <p>
        In Hex it hardly matters when a stone is placed, so every playout in which red plays d2 says something about d2. <b>AMAF</b> counts, for each move, all playouts that contain it.
      </p>
      {best && (
        <p>
          The same {FEW} playouts now say much more: {best.move} started {best.visits} of them, but red played it in {count(best.amaf?.count ?? 0)}, and won {percent(best.amaf?.mean ?? 0)} % of those.
          RAVE and <b>GRAVE</b> start from this statistic, and shift the weight to the move's own mean as its number of playouts grows.
        </p>
      )}
      {report && <Table report={report} onPoint={setPointed} />}
    </Station>
  );
}

function Permutations() {
  const story = useSearch({ game: GAME, moves: MOVES, agent: "mcps", playouts: MANY, seed: 1 });
  const [below, setBelow] = useState<Report | undefined>(undefined);
  const [first, reply] = story?.report?.principal_variation ?? [];
  const path = first && reply && story?.state === "done" ? [first, reply] : undefined;
  useEffect(() => {
    if (path && story?.id) void look(story.id, path).then(setBelow, () => undefined);
  }, [path?.join(" "), story?.id]);
  const position = usePosition(path ? [...MOVES, ...path] : MOVES);
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  const told = below?.moves.find((found) => found.permutation && found.amaf && found.permutation.count !== found.amaf.count && found.visits > 0) ?? below?.moves[0];
  return (
    <Station title="Permutations: the path in any order" position={position} report={below} heat="permutation" pointed={pointed}>
      <p>
        Go two moves down the tree, to the position after {path ? <b>{path.join(" ")}</b> : "the best line"}. AMAF at this node only counts the playouts that passed through it; the AMAF of a node
        above counts more, but ignores the path. <b>MCPS</b> counts every playout from the root that contains {path ? <>{path.join(", ")} and the move</> : "the path and the move"},{" "}
        <i>in any order</i>: on the board, the order makes no difference.
      </p>
      {told && below && (
        <p>
          <b>{told.move}</b> has {count(told.visits)} playouts of its own, {count(told.amaf?.count ?? 0)} by AMAF and {count(told.permutation?.count ?? 0)} by permutation, with a mean of{" "}
          {three(told.permutation?.mean ?? 0)}. {count(below.playouts)} playouts passed through this position.
        </p>
      )}
      {below && <Table report={below} onPoint={setPointed} />}
    </Station>
  );
}

function Together() {
  const position = usePosition(MOVES);
  const story = useSearch({ game: GAME, moves: MOVES, agent: "mcps", playouts: MANY, seed: 1 });
  const [mark, setMark] = useState<number | undefined>(undefined);
  const last = (story?.marks.length ?? 1) - 1;
  const report = mark === undefined ? story?.report : story?.marks[mark];
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  const [own = 0, amaf = 0, permutation = 0] = report?.moves[0]?.weights.map((weight) => Math.round(100 * weight)) ?? [];
  return (
    <Station title="One score from all three" position={position} report={report} heat="visits" pointed={pointed}>
      <p>
        The score of a move is <span class="formula">α·own + β·AMAF + γ·permutation</span>. The weights depend on the number of playouts behind each mean. Move the slider from the first playout to
        the last: at first the two indirect statistics dominate, later the move's own mean.
      </p>
      <label class="slider">
        <span>Playouts</span>
        <input type="range" min={0} max={Math.max(last, 0)} value={mark ?? last} aria-label="Playouts" onInput={(event) => setMark(Number(event.currentTarget.value))} />
        <output>{count(report?.playouts ?? 0)}</output>
      </label>
      <p>
        Weights for {report?.moves[0]?.move ?? "the best move"}: own {own} %, AMAF {amaf} %, permutation {permutation} %.
      </p>
      {report && <Table report={report} onPoint={setPointed} />}
      <p>
        <a href={`#/play?game=${GAME}&moves=${MOVES.join("+")}&seats=you+mcps`}>Play on from here</a> against MCPS.
      </p>
    </Station>
  );
}
