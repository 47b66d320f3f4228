// The page and its sections.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { agents, games, limits } from "./api";
import { Experiments } from "./experiments";
import type { Registry } from "./forms";
import { Learn } from "./learn";
import { Play } from "./play";
import { gameOf, readHash } from "./records";
import "./style.css";

function Page() {
  const [registry, setRegistry] = useState<Registry | undefined>(undefined);
  const [version, setVersion] = useState("");
  const [error, setError] = useState("");
  const [hash, setHash] = useState(location.hash);
  const [theme, setTheme] = useState(localStorage.getItem("theme") ?? "");
  useEffect(() => {
    Promise.all([games(), agents(), limits()])
      .then(([games, agents, { version }]) => {
        setRegistry({ games, agents });
        setVersion(version);
      })
      .catch((refused: Error) => setError(refused.message));
    // Taken from the event, because the game that is left may have overwritten location.hash since.
    const change = ({ newURL }: HashChangeEvent) => setHash(new URL(newURL).hash);
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  useEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    localStorage.setItem("theme", theme);
  }, [theme]);

  const [path, query] = readHash(hash);
  const [page = "play", id] = path.split("/");
  const dark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const link = (to: string, title: string) => (
    <a href={`#/${to}`} aria-current={page === to || (page === "" && to === "play") ? "page" : undefined}>
      {title}
    </a>
  );
  return (
    <>
      <header>
        <a class="brand" href="#/play">
          <img src="./icon.svg" alt="" width="30" height="30" />
          Permutree
        </a>
        <nav aria-label="Sections">
          {link("play", "Play")}
          {link("experiments", "Matches")}
          {link("learn", "Learn")}
        </nav>
        <button type="button" class="quiet" aria-label={dark ? "Light colours" : "Dark colours"} onClick={() => setTheme(dark ? "light" : "dark")}>
          {dark ? "☀" : "☾"}
        </button>
      </header>
      {error && (
        <p class="error card" role="alert">
          {error}
        </p>
      )}
      {registry &&
        (page === "experiments" ? (
          <Experiments registry={registry} id={id} />
        ) : page === "learn" ? (
          <Learn />
        ) : (
          <Play key={hash} registry={registry} start={gameOf(query)} />
        ))}
      <footer>
        Permutree {version} · <a href="./openapi.json">API</a>
      </footer>
    </>
  );
}

render(<Page />, document.getElementById("page") as HTMLElement);
