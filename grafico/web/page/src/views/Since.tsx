/** For how long something goes on, counted while one looks at it. */

import { useEffect, useState } from "preact/hooks";

export function Since({ time }: { time: string }) {
  const [, again] = useState(0);
  useEffect(() => {
    const tick = setInterval(() => again(n => n + 1), 1000);
    return () => clearInterval(tick);
  }, []);
  const start = Date.parse(time);
  if (Number.isNaN(start)) return null;
  return <span class="since" aria-hidden="true">{lasting(Math.max(0, (Date.now() - start) / 1000))}</span>;
}

export function lasting(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A time as people say it: today's by the clock, others by the day. */
export function moment(time: string): string {
  const then = new Date(time);
  if (Number.isNaN(then.getTime())) return time;
  const today = then.toDateString() === new Date().toDateString();
  return today
    ? then.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })
    : then.toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
}
