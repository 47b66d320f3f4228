// One experiment: how far it is, what it shows, its games.

import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { Board } from "./board";
import { Chart } from "./chart";
import { count } from "./measure";
import { PLAYERS } from "./places";
import { hashOf } from "./records";

const percent = (score: number) => (100 * score).toFixed(1);

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
      if (first && first.played > 0) {
        const scores = first.agents.map((agent) => [agent.score, ...agent.ci95] as [number, number, number]);
        setStory((old) => (old[old.length - 1]?.played === first.played ? old : [...old, { played: first.played, scores }]));
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
            report with plots
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
      {story.length > 1 && trial.tables[0]?.cells.length === 1 && <Closing story={story} names={trial.tables[0].cells[0]?.agents.map(({ name }) => name) ?? []} />}
      {under && trial.boards.length > 0 && <Boards boards={trial.boards} />}
      {trial.tables.map((table, i) => (
        <div key={i}>
          {table.title && <h3>{table.title}</h3>}
          {table.cells.map((found) => {
            const number = cell++;
            return <Match key={number} found={found} id={id} number={number} alone={table.cells.length === 1} />;
          })}
          {table.codes.map((codes) => (
            <p key={codes.game}>
              <b>{codes.game}</b>, {count(codes.playouts)} random games: {codes.found.map(([name, value]) => `${name} ${Number(value).toFixed(3)}`).join(", ") || "not counted yet"}
            </p>
          ))}
        </div>
      ))}
      <details>
        <summary>The file</summary>
        <pre>{trial.toml}</pre>
      </details>
    </section>
  );
}

/** How the interval of the score closes. */
function Closing({ story, names }: { story: { played: number; scores: [number, number, number][] }[]; names: string[] }) {
  const shown = names.length === 2 ? [0] : names.map((_, i) => i);
  const series = shown.flatMap((i) => {
    const colour = PLAYERS[i % PLAYERS.length] as string;
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
      <h3>Score of {shown.map((i) => names[i]).join(", ")} with its 95 % interval, over the games</h3>
      <Chart x={story.map(({ played }) => played)} series={series} bands={bands} height={170} range={[0, 1]} label="The interval of the score closes" />
    </div>
  );
}

function Sprt({ sprt }: { sprt: NonNullable<api.Experiment["sprt"]> }) {
  const { llr, lower, upper, elo0, elo1 } = sprt;
  const at = (100 * (Math.min(upper, Math.max(lower, llr)) - lower)) / (upper - lower);
  const verdict = llr >= upper ? `decided: ${elo1} Elo rather than ${elo0}` : llr <= lower ? `decided: ${elo0} Elo rather than ${elo1}` : "undecided";
  return (
    <div class="sprt" aria-label="Sequential test">
      <span>{elo0} Elo</span>
      <div class="gauge">
        <i style={{ left: `${at}%` }} />
      </div>
      <span>{elo1} Elo</span>
      <small>
        log-likelihood ratio {llr.toFixed(2)} of ±{upper.toFixed(2)}: {verdict}
      </small>
    </div>
  );
}

/** The games under way. */
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

function Match({ found, id, number, alone }: { found: api.Cell; id: string; number: number; alone: boolean }) {
  const [games, setGames] = useState<api.GameRecord[] | undefined>(undefined);
  const [from, setFrom] = useState(0);
  const show = (first: number) => {
    setFrom(first);
    void api.finishedGames(id, number, first, 20).then(setGames, () => undefined);
  };
  return (
    <div class="match">
      {!alone && (
        <h4>
          {found.game}
          {found.budget && <small>, {found.budget}</small>} <small>{found.played} of {found.wanted} games</small>
        </h4>
      )}
      <table class="scores">
        <tbody>
          {found.agents.map((agent, i) => (
            <tr key={i}>
              <th scope="row" title={agent.spec}>
                {agent.name}
              </th>
              <td class="score">{found.played > 0 ? `${percent(agent.score)} %` : "–"}</td>
              <td>
                <div class="interval" title={`95 %: ${percent(agent.ci95[0])}..${percent(agent.ci95[1])}`}>
                  <i style={{ left: `${100 * agent.ci95[0]}%`, width: `${100 * (agent.ci95[1] - agent.ci95[0])}%`, background: PLAYERS[i % PLAYERS.length] }} />
                  <b style={{ left: `${100 * agent.score}%` }} />
                  {i === 0 && found.paper && <em title={`the paper: ${percent(found.paper[0])}`} style={{ left: `${100 * found.paper[0]}%` }} />}
                </div>
              </td>
              <td class="soft">
                {agent.wins}–{agent.draws}–{agent.losses}
              </td>
              <td class="soft">{agent.elo && found.played > 1 && Number.isFinite(agent.elo[0]) ? `${agent.elo[0] > 0 ? "+" : ""}${agent.elo[0].toFixed(0)} Elo` : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {found.paper && <p class="soft">the paper has {percent(found.paper[0])} %{found.agrees != null && (found.agrees ? ", which agrees" : ", which does not agree")}</p>}
      {found.played > 0 && (
        <details onToggle={(event) => event.currentTarget.open && !games && show(0)}>
          <summary>{count(found.played)} games to replay</summary>
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
            <button type="button" class="quiet" disabled={from + 20 >= found.played} onClick={() => show(from + 20)}>▶</button>
          </div>
        </details>
      )}
    </div>
  );
}
