// One experiment: its progress, its results and its games.

import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { Board } from "./board";
import { Chart } from "./chart";
import { count, DIFFERS } from "./measure";
import { hashOf } from "./records";

const percent = (score: number) => (100 * score).toFixed(1);

/** The colours of agents: they swap seats, so they have none of the players' colours. */
const COLOURS = ["var(--accent)", "var(--own)", "var(--amaf)", "var(--permutation)", "var(--visits)"];
const interval = ([low = 0, high = 1]: number[]) => `${percent(low)}..${percent(high)}`;
const colourOf = (agent: number) => COLOURS[agent % COLOURS.length] as string;

/** Cells whose agents differ with 95 % certainty over the whole table are marked. */
const isSure = (cell: api.Cell) => (cell.p_holm ?? 1) < 0.05;

export function Trial({ id }: { id: string }) {
  const [trial, setTrial] = useState<api.Experiment | undefined>(undefined);
  const [story, setStory] = useState<{ played: number; scores: [number, number, number][] }[]>([]);
  const [error, setError] = useState("");
  const [runs, setRuns] = useState(0);
  useEffect(() => {
    const see = (data: string) => {
      const found = JSON.parse(data) as api.Experiment;
      setTrial(found);
      const first = found.tables[0]?.cells[0];
      if (first && first.games > 0) {
        const scores = first.agents.map((agent) => [agent.score, ...agent.ci95] as [number, number, number]);
        setStory((old) => (old[old.length - 1]?.played === first.games ? old : [...old, { played: first.games, scores }]));
      }
    };
    api.experiment(id).then((found) => see(JSON.stringify(found)), (refused: Error) => setError(refused.message));
    return api.listen(`/api/experiments/${id}/events`, { experiment: see, end: () => undefined });
  }, [id, runs]);
  if (error) return <p class="error card">{error}</p>;
  if (!trial) return null;
  const under = trial.state === "running" || trial.state === "waiting" || trial.state === "stopping";
  const act = (what: Promise<unknown>) => void what.then(() => setRuns(runs + 1), (refused: Error) => setError(refused.message));
  let cell = 0;
  return (
    <section class="card trial" aria-label={trial.title}>
      <h2>{trial.title}</h2>
      {trial.source && <p class="soft">{trial.source}</p>}
      <p class="facts">
        <span class={`state ${trial.state}`} data-state={trial.state}>
          {trial.state}
        </span>
        <b>{count(trial.played)}</b> of {count(trial.wanted)} games
        {trial.games_per_second != null && <> · {trial.games_per_second.toFixed(1)} games/s</>}
      </p>
      <progress max={trial.wanted || 1} value={trial.played} aria-label="Games played" />
      {trial.error && <p class="error">{trial.error}</p>}
      <div class="controls">
        {under ? (
          <button type="button" onClick={() => act(api.stopExperiment(id))} disabled={trial.state === "stopping"}>
            Cancel
          </button>
        ) : (
          trial.state !== "done" && (
            <button type="button" class="primary" onClick={() => act(api.resumeExperiment(id))}>
              Resume
            </button>
          )
        )}
        {!under && (
          <button type="button" onClick={() => void api.dropExperiment(id).then(() => (location.hash = "#/experiments"))}>
            Delete
          </button>
        )}
        {trial.played > 0 && (
          <a class="button" href={api.address(`/api/experiments/${id}/export?format=html`)} target="_blank" rel="noreferrer">
            Report with plots
          </a>
        )}
        {trial.played > 0 &&
          ["markdown", "csv", "jsonl", "records"].map((format) => (
            <a class="button" key={format} href={api.address(`/api/experiments/${id}/export?format=${format}`)} download>
              {format}
            </a>
          ))}
      </div>
      {trial.sprt && <Sprt sprt={trial.sprt} />}
      {story.length > 1 && trial.tables[0]?.cells.length === 1 && <Closing story={story} names={trial.tables[0].cells[0]?.names ?? []} />}
      {under && trial.boards.length > 0 && <Boards boards={trial.boards} />}
      {trial.tables.map((table, i) => (
        <div key={i}>
          {table.title && <h3>{table.title}</h3>}
          {table.cells.map((found) => {
            const number = cell++;
            return <Match key={number} found={found} alone={table.cells.length === 1} bySeat={table.by_seat} replay={{ id, number }} />;
          })}
          {table.totals.map((total, i) => (
            <Match key={`total${i}`} found={total} alone={false} bySeat={table.by_seat} />
          ))}
          <Notes cells={table.cells} />
          {table.probes.length > 0 && <Probes probes={table.probes} />}
        </div>
      ))}
      <details>
        <summary>The file</summary>
        <pre>{trial.toml}</pre>
      </details>
    </section>
  );
}

/** The score and its confidence interval over the games. */
function Closing({ story, names }: { story: { played: number; scores: [number, number, number][] }[]; names: string[] }) {
  const shown = names.length === 2 ? [0] : names.map((_, i) => i);
  const series = shown.flatMap((i) => {
    const colour = colourOf(i);
    const values = (part: number) => story.map(({ scores }) => scores[i]?.[part] ?? null);
    return [
      { label: names[i] as string, colour, values: values(0) },
      { label: "above", colour, values: values(2), thin: true },
      { label: "below", colour, values: values(1), thin: true },
    ];
  });
  const bands = shown.map((_, i) => [3 * i + 1, 3 * i + 2] as [number, number]);
  return (
    <div class="worth">
      <h3>Score of {shown.map((i) => names[i]).join(", ")} with its 95 % confidence interval, by number of games</h3>
      <Chart x={story.map(({ played }) => played)} series={series} bands={bands} height={170} range={[0, 1]} label="Score and confidence interval by number of games" />
    </div>
  );
}

function Sprt({ sprt }: { sprt: NonNullable<api.Experiment["sprt"]> }) {
  const { llr, lower, upper, elo0, elo1, verdict } = sprt;
  const at = (100 * (Math.min(upper, Math.max(lower, llr)) - lower)) / (upper - lower);
  const said = { H0: `H0 accepted (${elo0} Elo)`, H1: `H1 accepted (${elo1} Elo)`, undecided: "undecided" }[verdict];
  return (
    <div class="sprt" aria-label="Sequential test">
      <span>{elo0} Elo</span>
      <div class="gauge">
        <i style={{ left: `${at}%` }} />
      </div>
      <span>{elo1} Elo</span>
      <small>
        log-likelihood ratio {llr.toFixed(2)}, bounds ±{upper.toFixed(2)}: {said}
      </small>
    </div>
  );
}

/** The games in progress. */
function Boards({ boards }: { boards: api.Experiment["boards"] }) {
  const [shown, setShown] = useState<api.Position[]>([]);
  useEffect(() => {
    let wanted = true;
    void Promise.all(boards.slice(0, 4).map(({ game, moves }) => api.position(game, moves))).then((found) => wanted && setShown(found), () => undefined);
    return () => {
      wanted = false;
    };
  }, [JSON.stringify(boards)]);
  return (
    <div class="boards">
      {shown.map((position, i) => (
        <div key={i}>
          <Board position={position} />
          <small>
            game {(boards[i]?.number ?? 0) + 1}: {boards[i]?.seats.join(" – ")}
          </small>
        </div>
      ))}
    </div>
  );
}

/** The result of a cell, and its games unless it is a total. */
function Match({ found, alone, bySeat, replay }: { found: api.Cell; alone: boolean; bySeat: boolean; replay?: { id: string; number: number } }) {
  const [games, setGames] = useState<api.GameRecord[] | undefined>(undefined);
  const [from, setFrom] = useState(0);
  const show = (first: number) => {
    setFrom(first);
    if (replay) void api.finishedGames(replay.id, replay.number, first, 20).then(setGames, () => undefined);
  };
  return (
    <div class="match">
      {!alone && (
        <h4>
          {found.game}
          <small>
            {found.budget && `, ${found.budget}`}, {count(found.games)} of {count(found.wanted)} games
          </small>
        </h4>
      )}
      <div class="scroll">
        <table class="scores">
          <tbody>
            {found.agents.map((agent, i) => {
              const [low = 0, high = 1] = agent.ci95;
              return (
                <tr key={i}>
                  <th scope="row" title={agent.spec}>
                    {found.names[i]}
                  </th>
                  <td class="score">{found.games > 0 ? `${percent(agent.score)} %${isSure(found) ? " *" : ""}` : "–"}</td>
                  <td>
                    <div class="interval" title={`95 % confidence interval: ${interval(agent.ci95)} %`}>
                      <i style={{ left: `${100 * low}%`, width: `${100 * (high - low)}%`, background: colourOf(i) }} />
                      <b style={{ left: `${100 * agent.score}%` }} />
                      {i === 0 && found.paper && <em title={`Paper: ${percent(found.paper.score)} %`} style={{ left: `${100 * found.paper.score}%` }} />}
                    </div>
                  </td>
                  <td class="soft">
                    {agent.wins}–{agent.draws}–{agent.losses}
                  </td>
                  <td class="soft">{agent.elo && found.games > 1 && Number.isFinite(agent.elo.difference) ? `${agent.elo.difference > 0 ? "+" : ""}${agent.elo.difference.toFixed(0)} Elo` : ""}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {bySeat && found.games > 0 && <p class="soft">{found.agents.map((agent, i) => `${found.names[i]}: ${agent.seats.map(({ seat, score }) => `${percent(score)} % in seat ${seat}`).join(", ")}`).join("; ")}</p>}
      {found.paper && (
        <p class="soft">
          Paper: {percent(found.paper.score)} % ({interval(found.paper.ci95)}){found.agrees != null && (found.agrees ? "; the intervals overlap" : "; the intervals do not overlap")}
        </p>
      )}
      {replay && found.games > 0 && (
        <details onToggle={(event) => event.currentTarget.open && !games && show(0)}>
          <summary>{count(found.games)} games to replay</summary>
          <ol class="games" start={from + 1}>
            {games?.map((game) => (
              <li key={game.number}>
                <a href={hashOf({ game: game.game, moves: game.moves, seats: game.seats })}>
                  {game.seats.map((seat, i) => `${seat} ${game.rewards[i] === 1 ? "1" : (game.rewards[i] ?? 0) === 0 ? "0" : (game.rewards[i] as number).toFixed(2)}`).join(" – ")}
                </a>{" "}
                <small>{game.moves.length} moves</small>
              </li>
            ))}
          </ol>
          <div class="controls">
            <button type="button" class="quiet" disabled={from === 0} onClick={() => show(Math.max(0, from - 20))}>◀</button>
            <button type="button" class="quiet" disabled={from + 20 >= found.games} onClick={() => show(from + 20)}>▶</button>
          </div>
        </details>
      )}
    </div>
  );
}

/** What a reader of the scores should know. */
function Notes({ cells }: { cells: api.Cell[] }) {
  const sum = (of: (cell: api.Cell) => number) => cells.reduce((all, cell) => all + of(cell), 0);
  const unfinished = sum((cell) => cell.unfinished);
  const forfeits = sum((cell) => cell.forfeits.length);
  const notes = [
    cells.some(isSure) && "* not even, with 95 % certainty over the whole table (Holm).",
    cells.some(({ deterministic }) => !deterministic) && DIFFERS,
    unfinished > 0 && `${count(unfinished)} games were stopped at the ply limit and scored as draws.`,
    forfeits > 0 && `${count(forfeits)} games were forfeited.`,
  ].filter(Boolean);
  return notes.length > 0 ? <p class="soft hint">{notes.join(" ")}</p> : null;
}

/** Measured quantities, with those of the paper below. */
function Probes({ probes }: { probes: api.Probe[] }) {
  const names = [...new Set(probes.flatMap(({ found, paper }) => [...Object.keys(found), ...Object.keys(paper)]))];
  const shown = (value: number) => (Number.isInteger(value) ? count(value) : value.toFixed(3));
  return (
    <div class="scroll">
      <table class="probes">
        <thead>
          <tr>
            <th>game</th>
            <th>random games</th>
            {names.map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {probes.map((probe, i) => (
            <tr key={i}>
              <th scope="row">{probe.game}</th>
              <td>{count(probe.count)}</td>
              {names.map((name) => (
                <td key={name}>
                  {probe.found[name] === undefined ? "–" : shown(probe.found[name])}
                  {probe.paper[name] !== undefined && <small>paper {shown(probe.paper[name])}</small>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
