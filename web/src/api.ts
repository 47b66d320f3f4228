// The HTTP API, with types generated from its OpenAPI description.

import type { components } from "./types";

type Schemas = components["schemas"];
export type Game = Schemas["GameListing"];
export type Agent = Schemas["AgentFacts"];
export type Param = Schemas["Param"];
export type Position = Schemas["Position"];
export type Report = Schemas["Report"];
export type Found = Schemas["MoveReport"];
export type Search = Schemas["Search"];
export type SearchState = Schemas["SearchState"];
export type SearchRequest = Schemas["SearchRequest"];
export type Experiment = Schemas["Experiment"];
export type ExperimentEntry = Schemas["ExperimentEntry"];
export type Cell = Schemas["CellReport"];
export type Probe = Schemas["ProbeReport"];
export type GameRecord = Schemas["GameRecord"];
export type Limits = Schemas["Limits"];

/** A refused request, with the one-line explanation of the server. */
export class Refusal extends Error {}

const token = new URLSearchParams(location.search).get("token") ?? "";

/** An address of the API with the token in it, for requests without headers. */
export function address(path: string): string {
  const separator = path.includes("?") ? "&" : "?";
  return token ? `${path}${separator}token=${encodeURIComponent(token)}` : path;
}

async function ask<T>(method: string, path: string, body?: unknown, keepalive = false): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (token) headers.authorization = `Bearer ${token}`;
  let response: Response;
  try {
    response = await fetch(path, { method, headers, keepalive, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new Refusal("the server does not answer; is permutree serve still running?");
  }
  if (!response.ok) {
    const text = await response.text();
    let line = `the server answered ${response.status}`;
    try {
      line = (JSON.parse(text) as { error: string }).error || line;
    } catch {
      // The answer is not from the API.
    }
    throw new Refusal(line);
  }
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export const games = () => ask<Game[]>("GET", "/api/games");
export const agents = () => ask<Agent[]>("GET", "/api/agents");
export const limits = () => ask<Limits>("GET", "/api/limits");

const positions = new Map<string, Promise<Position>>();

/** The position after these moves. The latest answers are cached. */
export function position(game: string, moves: string[], roll?: number): Promise<Position> {
  const key = JSON.stringify([game, moves, roll ?? null]);
  let found = positions.get(key);
  if (!found) {
    found = ask<Position>("POST", "/api/position", roll === undefined ? { game, moves } : { game, moves, roll });
    found.catch(() => positions.delete(key));
    positions.set(key, found);
    if (positions.size > 400) positions.delete(positions.keys().next().value as string);
  }
  return found;
}

export const startSearch = (request: SearchRequest) => ask<Search>("POST", "/api/searches", request);
export const stopSearch = (id: string) => ask<Search>("POST", `/api/searches/${id}/stop`, {});
export const dropSearch = (id: string) => ask<void>("DELETE", `/api/searches/${id}`, undefined, true).catch(() => undefined);
export const look = (id: string, moves: string[]) => ask<Report>("POST", `/api/searches/${id}/look`, { moves });

export const experiments = () => ask<ExperimentEntry[]>("GET", "/api/experiments");
export const experiment = (id: string) => ask<Experiment>("GET", `/api/experiments/${id}`);
export const startExperiment = (toml: string, quick: boolean, sprt?: [number, number]) =>
  ask<Experiment>("POST", "/api/experiments", sprt ? { toml, quick, sprt } : { toml, quick });
export const stopExperiment = (id: string) => ask<void>("POST", `/api/experiments/${id}/stop`, {});
export const resumeExperiment = (id: string) => ask<void>("POST", `/api/experiments/${id}/resume`, {});
export const dropExperiment = (id: string) => ask<void>("DELETE", `/api/experiments/${id}`);
export const finishedGames = (id: string, cell: number, from: number, most: number) =>
  ask<GameRecord[]>("GET", `/api/experiments/${id}/games?cell=${cell}&from=${from}&most=${most}`);

/** Listens to an event stream until its `end` event. Call the result to stop earlier. */
export function listen(path: string, on: Record<string, (data: string) => void>): () => void {
  const source = new EventSource(address(path));
  for (const [name, tell] of Object.entries(on)) {
    source.addEventListener(name, (event) => {
      if (name === "end") source.close();
      tell((event as MessageEvent<string>).data);
    });
  }
  return () => source.close();
}
