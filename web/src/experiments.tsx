// Matches and experiments: starts them from a form or a file, and lists them.

import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { BASIC_AGENTS, BASIC_GAMES, type Budget, BudgetForm, type Registry, SpecForm } from "./forms";
import { count } from "./measure";
import { Trial } from "./trial";

/** An experiment file for one match. */
function fileOf(game: string, agents: string[], budget: Budget, games: number, seed: number): string {
  const quoted = (text: string) => JSON.stringify(text);
  const limit = budget.time ? `time = ${quoted(budget.time)}` : `playouts = ${budget.playouts}`;
  return [`game = ${quoted(game)}`, `agents = [${agents.map(quoted).join(", ")}]`, limit, `games = ${games}`, `seed = ${seed}`, ""].join("\n");
}

export function Experiments({ registry, id }: { registry: Registry; id: string | undefined }) {
  const [list, setList] = useState<api.ExperimentEntry[]>([]);
  useEffect(() => {
    let wanted = true;
    const refresh = () => void api.experiments().then((found) => wanted && setList(found), () => undefined);
    refresh();
    const timer = setInterval(refresh, 2000);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [id]);
  return (
    <div class="experiments">
      <aside>
        <Start registry={registry} />
        <section class="card" aria-label="Experiments">
          <h2>Experiments</h2>
          {list.length === 0 && <p class="soft">No experiments yet.</p>}
          <ul class="list">
            {list.map((line) => (
              <li key={line.id} class={line.id === id ? "now" : ""}>
                <a href={`#/experiments/${line.id}`}>{line.title}</a>
                <small>
                  <span class={`state ${line.state}`}>{line.state}</span> {count(line.wanted)} games
                </small>
              </li>
            ))}
          </ul>
        </section>
      </aside>
      <main>{id ? <Trial key={id} id={id} /> : <Welcome />}</main>
    </div>
  );
}

function Welcome() {
  return (
    <section class="card welcome">
      <h2>Who is stronger?</h2>
      <p>
        Let agents play each other, and watch the 95 % confidence interval of the score narrow. The form writes an experiment file, which <code>permutree experiment run</code> accepts too; a file
        can define whole tables of matches.
      </p>
      <p>Cancel at any time: finished games are kept, and Resume plays the rest. Every game can be replayed.</p>
    </section>
  );
}

function Start({ registry }: { registry: Registry }) {
  const [game, setGame] = useState("hex:7,opening=b2");
  const [agents, setAgents] = useState(["mcps", "grave"]);
  const [budget, setBudget] = useState<Budget>({ playouts: 1000 });
  const [games, setGames] = useState(100);
  const [sprt, setSprt] = useState("");
  const [own, setOwn] = useState<string | undefined>(undefined);
  const [quick, setQuick] = useState(false);
  const [error, setError] = useState("");
  const toml = own ?? fileOf(game, agents, budget, games, 1);
  const begin = () => {
    const test = sprt.split(",").map(Number);
    api
      .startExperiment(toml, quick, sprt && test.length === 2 ? [test[0] as number, test[1] as number] : undefined)
      .then((started) => {
        setError("");
        location.hash = `#/experiments/${started.id}`;
      })
      .catch((refused: Error) => setError(refused.message));
  };
  return (
    <section class="card start" aria-label="A new match">
      <h2>A new match</h2>
      {own === undefined && (
        <>
          <SpecForm kind="Game" list={registry.games} spec={game} onSpec={setGame} basic={BASIC_GAMES} />
          {agents.map((agent, i) => (
            <div class="seat" key={i}>
              <SpecForm kind={`Agent ${i + 1}`} list={registry.agents} spec={agent} basic={BASIC_AGENTS} onSpec={(spec) => setAgents(agents.map((old, place) => (place === i ? spec : old)))} />
              {agents.length > 1 && (
                <button type="button" class="quiet" aria-label={`Remove agent ${i + 1}`} onClick={() => setAgents(agents.filter((_, place) => place !== i))}>
                  ×
                </button>
              )}
            </div>
          ))}
          <button type="button" class="quiet" onClick={() => setAgents([...agents, "uct"])}>
            + another agent
          </button>
          <label class="field">
            <span>Budget per move</span>
            <BudgetForm label="Budget per move" budget={budget} onBudget={setBudget} />
          </label>
          <label class="field">
            <span>Games</span>
            <input type="number" min={1} value={games} aria-label="Games" onInput={(event) => setGames(Math.max(1, Math.round(Number(event.currentTarget.value))))} />
          </label>
        </>
      )}
      <label class="field" title="Stop once a sequential test (SPRT) decides between two Elo differences of the first agent over the second">
        <span>Stop early</span>
        <select aria-label="Sequential test" value={sprt} onChange={(event) => setSprt(event.currentTarget.value)}>
          <option value="">never</option>
          <option value="0,20">SPRT: 0 against +20 Elo</option>
          <option value="0,50">SPRT: 0 against +50 Elo</option>
          <option value="0,100">SPRT: 0 against +100 Elo</option>
        </select>
      </label>
      <details open={own !== undefined}>
        <summary>As a file</summary>
        <textarea aria-label="Experiment file" rows={8} spellcheck={false} value={toml} onInput={(event) => setOwn(event.currentTarget.value)} />
        <div class="controls">
          <label class="button">
            Load a file
            <input type="file" accept=".toml,text/plain" hidden onChange={(event) => void event.currentTarget.files?.[0]?.text().then(setOwn)} />
          </label>
          {own !== undefined && (
            <button type="button" onClick={() => setOwn(undefined)}>
              Back to the form
            </button>
          )}
          <label class="check" title="Play only the number of games that the file sets as quick">
            <input type="checkbox" checked={quick} onChange={(event) => setQuick(event.currentTarget.checked)} /> quick
          </label>
        </div>
      </details>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <button type="button" class="primary" onClick={begin}>
        Start
      </button>
    </section>
  );
}
