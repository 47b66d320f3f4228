// Two agents on the same position, side by side.

import { useState } from "preact/hooks";
import type { Position } from "./api";
import { Board } from "./board";
import { BASIC_AGENTS, type Budget, type Registry, SpecForm } from "./forms";
import { count, DIFFERS, has, type Measure } from "./measure";
import { useSearch } from "./search";
import { Table } from "./table";

export function Compare({ registry, game, moves, position, heat, budget }: {
  registry: Registry;
  game: string;
  moves: string[];
  position: Position;
  heat: Measure | undefined;
  budget: Budget;
}) {
  const [agents, setAgents] = useState(["mcps", "uct"]);
  const [mark, setMark] = useState(1);
  if (position.turn !== "player") return <p class="soft">No player is to move in this position.</p>;
  return (
    <div class="compare">
      <label class="slider">
        <span>Replay both</span>
        <input type="range" min={0} max={1} step={0.01} value={mark} aria-label="Replay both searches" onInput={(event) => setMark(Number(event.currentTarget.value))} />
      </label>
      <div class="pair">
        {agents.map((agent, i) => (
          <Side key={i} registry={registry} agent={agent} onAgent={(spec) => setAgents(agents.map((old, side) => (side === i ? spec : old)))} game={game} moves={moves} position={position} heat={heat ?? "visits"} budget={budget} mark={mark} number={i + 1} />
        ))}
      </div>
    </div>
  );
}

function Side({ registry, agent, onAgent, game, moves, position, heat, budget, mark, number }: {
  registry: Registry;
  agent: string;
  onAgent: (spec: string) => void;
  game: string;
  moves: string[];
  position: Position;
  heat: Measure;
  budget: Budget;
  mark: number;
  number: number;
}) {
  const story = useSearch({ game, moves, agent, ...budget, seed: 1 });
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  const report = mark >= 1 ? story?.report : story?.marks[Math.round(mark * (story.marks.length - 1))];
  return (
    <div class="side">
      <SpecForm kind={`Agent ${number}`} list={registry.agents} spec={agent} onSpec={onAgent} basic={BASIC_AGENTS} />
      <Board position={position} report={report} heat={report && has(report, heat) ? heat : "visits"} pointed={pointed} label={`${agent} on ${game}`} />
      {story?.error && <p class="error">{story.error}</p>}
      {report && (
        <>
          <p class="facts">
            {count(report.playouts)} playouts · plays <b>{report.moves[0]?.move}</b>
          </p>
          {!report.deterministic && <p class="soft hint">{DIFFERS}</p>}
          <Table report={report} onPoint={setPointed} />
        </>
      )}
    </div>
  );
}
