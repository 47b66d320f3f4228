// Follows a search on the server.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { dropSearch, listen, type Report, type SearchRequest, type SearchState, startSearch } from "./api";

/** A search as far as the page has followed it. */
export interface Story {
  /** The identifier on the server, once it has one. */
  id?: string;
  state: SearchState;
  /** The reports at growing numbers of playouts. */
  marks: Report[];
  /** The latest report. */
  report?: Report;
  error?: string;
}

const NOTHING: Story = { state: "waiting", marks: [] };

/** Runs the requested search. Another request stops it and deletes it. */
export function useSearch(request: SearchRequest | undefined): Story | undefined {
  const [story, setStory] = useState<Story>(NOTHING);
  const key = request && JSON.stringify(request);
  const shown = useRef<string | undefined>(undefined);
  // Before the screen is painted, to save a frame after a click.
  useLayoutEffect(() => {
    if (!request) return;
    shown.current = key;
    setStory(NOTHING);
    return follow(request, setStory);
  }, [key]);
  // Until the effect has run, the story belongs to the previous search.
  return request && shown.current === key ? story : request && NOTHING;
}

/** Starts a search and reports its progress. Call the result to stop and delete it. */
export function follow(request: SearchRequest, tell: (story: Story) => void): () => void {
  let story = NOTHING;
  let over = false;
  let waiting = 0;
  let shown = false;
  let stop = () => {};
  const set = (more: Partial<Story>) => {
    story = { ...story, ...more };
    if (over) return;
    // The first report is shown at once, later ones at most once per frame.
    if (more.report && !shown) {
      shown = true;
      return tell(story);
    }
    if (!waiting) {
      waiting = requestAnimationFrame(() => {
        waiting = 0;
        if (!over) tell(story);
      });
    }
  };
  startSearch(request)
    .then((search) => {
      if (over) return void dropSearch(search.id);
      set(search.report ? { id: search.id, state: search.state, report: search.report } : { id: search.id, state: search.state });
      const silence = listen(`/api/searches/${search.id}/events`, {
        mark: (data) => {
          const report = JSON.parse(data) as Report;
          set({ report, marks: [...story.marks, report], state: "running" });
        },
        live: (data) => set({ report: JSON.parse(data) as Report, state: "running" }),
        end: (data) => {
          const last = story.report;
          const marks = last && story.marks[story.marks.length - 1] !== last ? [...story.marks, last] : story.marks;
          set({ state: JSON.parse(data) as SearchState, marks });
        },
      });
      const leave = () => void dropSearch(search.id);
      addEventListener("pagehide", leave);
      stop = () => {
        removeEventListener("pagehide", leave);
        silence();
        leave();
      };
    })
    .catch((error: Error) => set({ error: error.message, state: "failed" }));
  return () => {
    over = true;
    cancelAnimationFrame(waiting);
    stop();
  };
}
