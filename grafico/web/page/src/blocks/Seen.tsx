/** Draw what is inside only once it is near the screen, and tell whether it still is. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";

export function useSeen<T extends Element>(): { ref: RefObject<T | null>; seen: boolean; near: boolean } {
  const ref = useRef<T>(null);
  const [near, setNear] = useState(false);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!ref.current) return;
    const watch = new IntersectionObserver(
      entries => {
        const inside = entries.at(-1)?.isIntersecting ?? false;
        setNear(inside);
        if (inside) setSeen(true);
      },
      { rootMargin: "400px", scrollMargin: "400px" } as IntersectionObserverInit,
    );
    watch.observe(ref.current);
    return () => watch.disconnect();
  }, []);
  return { ref, seen, near };
}
