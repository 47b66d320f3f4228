// Forms for games and agents, built from the parameters that the server lists.

import { useState } from "preact/hooks";
import type { Agent, Game, Param } from "./api";

/** The name in a spec and its parameters. Former keys are replaced by the current ones. */
export function readSpec(spec: string, params: (name: string) => Param[]): [string, Record<string, string>] {
  const [name = "", rest = ""] = spec.includes(":") ? [spec.slice(0, spec.indexOf(":")), spec.slice(spec.indexOf(":") + 1)] : [spec];
  const given: Record<string, string> = {};
  rest.split(",").filter(Boolean).forEach((part, i) => {
    const equals = part.indexOf("=");
    const first = params(name)[0];
    const key = part.slice(0, equals);
    if (equals > 0) given[params(name).find(({ formerly }) => formerly === key)?.key ?? key] = part.slice(equals + 1);
    else if (i === 0 && first) given[first.key] = part;
  });
  return [name, given];
}

export function writeSpec(name: string, given: Record<string, string>, params: Param[]): string {
  const parts = params
    .filter(({ key, default: usual }) => given[key] !== undefined && given[key] !== "" && given[key] !== usual)
    .map(({ key }, _, all) => (all.length === 1 && key === params[0]?.key ? given[key] : `${key}=${given[key]}`));
  return parts.length ? `${name}:${parts.join(",")}` : name;
}

interface Listed {
  name: string;
  title: string;
  params: Param[];
}

/** A list to choose from, and a button that shows the parameters of the choice. */
export function SpecForm({ kind, list, spec, onSpec, extra, basic }: {
  kind: string;
  list: Listed[];
  spec: string;
  onSpec: (spec: string) => void;
  /** Further choices, such as a human player. */
  extra?: { value: string; title: string }[];
  /** The names at the top of the list. */
  basic?: string[];
}) {
  const [open, setOpen] = useState(false);
  const paramsOf = (name: string) => list.find((one) => one.name === name)?.params ?? [];
  const [name, given] = readSpec(spec, paramsOf);
  const params = paramsOf(name);
  // The others only matter from move to move, or name files and programs, which the server refuses.
  const offered = params.filter(({ reach }) => reach === "anywhere");
  const sized = kind === "Game" && params[0]?.kind === "int";
  const option = (one: Listed) => (
    <option key={one.name} value={one.name}>
      {one.title}
    </option>
  );
  const first = list.filter((one) => basic?.includes(one.name));
  return (
    <div class="spec">
      <div class="row">
        <select aria-label={kind} value={name} onChange={(event) => onSpec(event.currentTarget.value)}>
          {extra?.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
          {first.length > 0 ? (
            <>
              <optgroup label="Most used">{first.map(option)}</optgroup>
              <optgroup label="Others">{list.filter((one) => !first.includes(one)).map(option)}</optgroup>
            </>
          ) : (
            list.map(option)
          )}
        </select>
        {sized && params[0] && (
          <span class="size" title={params[0].help}>
            <small>{params[0].key}</small>
            <ParamInput param={params[0]} value={given[params[0].key] ?? params[0].default} label={params[0].key} onValue={(value) => onSpec(writeSpec(name, { ...given, [(params[0] as Param).key]: value }, params))} />
          </span>
        )}
        {offered.length > 0 && (
          <button type="button" class="quiet" aria-expanded={open} aria-label={`Parameters: ${kind}`} title="Parameters" onClick={() => setOpen(!open)}>
            ⚙
          </button>
        )}
      </div>
      {open && offered.length > 0 && (
        <div class="params">
          {offered.map((param) => (
            <label key={param.key} title={param.help}>
              <span>{param.key}</span>
              <ParamInput param={param} value={given[param.key] ?? ""} onValue={(value) => onSpec(writeSpec(name, { ...given, [param.key]: value }, params))} />
              <small>{param.help}</small>
            </label>
          ))}
        </div>
      )}
    </div>
  );
}

function ParamInput({ param, value, onValue, label }: { param: Param; value: string; onValue: (value: string) => void; label?: string }) {
  const usual = param.default || "–";
  if (param.kind === "flag" || param.kind === "choice") {
    const words = param.kind === "flag" ? ["true", "false"] : param.choices;
    return (
      <select value={value || param.default} onChange={(event) => onValue(event.currentTarget.value)}>
        {words.map((word) => (
          <option key={word} value={word}>
            {word}
          </option>
        ))}
      </select>
    );
  }
  const range = param.kind === "int" || param.kind === "real" ? { min: param.min, max: param.max, step: param.kind === "real" ? "any" : 1 } : undefined;
  return (
    <input
      type={range ? "number" : "text"}
      {...range}
      placeholder={usual}
      aria-label={label}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value.trim())}
    />
  );
}

/** A budget in playouts or in time. */
export interface Budget {
  playouts?: number;
  time?: string;
}

const BUDGETS: { title: string; budget: Budget }[] = [
  { title: "100 playouts", budget: { playouts: 100 } },
  { title: "1,000 playouts", budget: { playouts: 1000 } },
  { title: "5,000 playouts", budget: { playouts: 5000 } },
  { title: "20,000 playouts", budget: { playouts: 20000 } },
  { title: "100,000 playouts", budget: { playouts: 100000 } },
  { title: "half a second", budget: { time: "500ms" } },
  { title: "2 seconds", budget: { time: "2s" } },
  { title: "10 seconds", budget: { time: "10s" } },
];

export function BudgetForm({ budget, onBudget, label }: { budget: Budget; onBudget: (budget: Budget) => void; label: string }) {
  const key = JSON.stringify(budget);
  const known = BUDGETS.some((one) => JSON.stringify(one.budget) === key);
  return (
    <select aria-label={label} value={key} onChange={(event) => onBudget(JSON.parse(event.currentTarget.value) as Budget)}>
      {!known && <option value={key}>{budget.time ?? `${budget.playouts} playouts`}</option>}
      {BUDGETS.map(({ title, budget: one }) => (
        <option key={title} value={JSON.stringify(one)}>
          {title}
        </option>
      ))}
    </select>
  );
}

/** The agents and games at the top of the lists. */
export const BASIC_AGENTS = ["best", "mcps", "grave", "rave", "uct"];
export const BASIC_GAMES = ["hex", "go", "connect4", "gomoku", "breakthrough", "reversi", "triad", "tic-tac-toe"];

export type Registry = { games: Game[]; agents: Agent[] };
