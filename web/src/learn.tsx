// A guided tour on a 5x5 Hex board: what AMAF and permutation statistics are. All numbers come from searches that run now.

import { useEffect, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { look, type Position, position as positionOf, type Report } from "./api";
import { Board } from "./board";
import { count, type Measure, percent, three } from "./measure";
import { useSearch } from "./search";
import { Table } from "./table";

const GAME = "hex:5";
/** Red has the centre, blue has answered; red is to move. */
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

/** A game of random moves from here to its end, as moves. */
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
        Red wants to connect top and bottom, blue left and right. Red has played c3, blue b4, and it is red's turn. Which move is good? A Monte Carlo search knows nothing of Hex. It plays games at
        random to their end and counts who wins.
      </p>
      <p>
        <button type="button" class="primary" disabled={running} onClick={() => void run()}>
          Play a random game
        </button>{" "}
        {position?.turn === "over" && <b style={{ color: red ? "#d1495b" : "#2e6f95" }}>{red ? "Red won." : "Blue won."}</b>}
      </p>
      {games.length > 0 && (
        <ul class="playouts">
          {games.map((game, i) => (
            <li key={`${i}${game.join()}`}>
              {game.slice(MOVES.length).map((move, ply) => (
                <span key={ply} class={ply % 2 === 0 ? "red" : "blue"}>
                  {move}
                </span>
              ))}
            </li>
          ))}
        </ul>
      )}
      {games.length > 1 && <p>Look at the red moves of two games: the same cells come again, in other orders. That is what the rest of this tour is about.</p>}
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
    <Station title="Each move's own results are few" position={position} report={report} heat="visits" pointed={pointed}>
      <p>
        <b>UCT</b> remembers for each move how the playouts went that began with it. After {FEW} playouts it has tried {tried} moves, the best of them {report?.moves[0]?.visits ?? 0} times. A mean
        of so few games says very little.
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
        In Hex it hardly matters when a stone was placed. So a playout in which red played d2 at any time says something about d2. <b>AMAF</b> counts, for each move, all playouts that contain it
        anywhere.
      </p>
      {best && (
        <p>
          The same {FEW} playouts now say much more: {best.move} began {best.visits} of them, but red played it in {count(best.amaf?.count ?? 0)}, and {percent(best.amaf?.mean ?? 0)} % of those
          were won. RAVE and <b>GRAVE</b> begin with this number and trust the move's own mean more and more as it grows.
        </p>
      )}
      {report && <Table report={report} onPoint={setPointed} />}
    </Station>
  );
}

function Permutations() {
  const story = useSearch({ game: GAME, moves: MOVES, agent: "mcps", playouts: MANY, seed: 1 });
  const [below, setBelow] = useState<Report | undefined>(undefined);
  const first = story?.report?.line[0];
  const reply = story?.report?.line[1];
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
        Now go two moves down the tree, after {path ? <b>{path.join(" ")}</b> : "the best line"}. AMAF there knows only playouts that came this way, or those of a node above, which know nothing of
        the path. <b>MCPS</b> counts every playout since the root that contains {path ? <>{path.join(", ")} and the move</> : "the path and the move"}, <i>in whatever order they were played</i>:
        on the board it is the same.
      </p>
      {told && below && (
        <p>
          For <b>{told.move}</b>: {count(told.visits)} playouts of its own, {count(told.amaf?.count ?? 0)} by AMAF, and {count(told.permutation?.count ?? 0)} by permutation, with mean{" "}
          {three(told.permutation?.mean ?? 0)}. {below.playouts} playouts came through this position.
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
        The score of a move is <span class="formula">α·own + β·AMAF + γ·permutation</span>, weighted by how much each knows. Move the slider from the first playout to the last: at first the two
        indirect statistics decide, and the own mean takes over.
      </p>
      <label class="slider">
        <span>playouts</span>
        <input type="range" min={0} max={Math.max(last, 0)} value={mark ?? last} aria-label="Playouts" onInput={(event) => setMark(Number(event.currentTarget.value))} />
        <output>{count(report?.playouts ?? 0)}</output>
      </label>
      <p>
        For {report?.moves[0]?.move ?? "the best move"}: own {own} %, AMAF {amaf} %, permutation {permutation} %.
      </p>
      {report && <Table report={report} onPoint={setPointed} />}
      <p>
        <a href={`#/play?game=${GAME}&moves=${MOVES.join("+")}&seats=you+mcps`}>Play on from here</a> against MCPS.
      </p>
    </Station>
  );
}
