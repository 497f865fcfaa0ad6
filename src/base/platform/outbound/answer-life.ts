/**
 * How long HTTP lets an answer live from the moment of the request, in milliseconds: the lowest `max-age` less `Age`,
 * never below 0; null = the answer sets no limit. An answer that must not be kept, or whose `max-age` or `Age` is no
 * number of seconds, lives not at all.
 */
export function answerLifeMs(headers: Readonly<Record<string, string>>): number | null {
  const directives = (headers['cache-control'] ?? '')
    .split(',')
    .map((directive) => directive.trim().toLowerCase());
  if (directives.some((directive) => /^no-(?:store|cache)(?:=|$)/.test(directive))) return 0;
  const maxAges = directives.flatMap((directive) => {
    const [, seconds] = /^max-age=(.*)$/.exec(directive) ?? [];
    return seconds === undefined ? [] : [secondsOf(seconds)];
  });
  if (maxAges.length === 0) return null;
  const age = headers['age'] === undefined ? 0 : secondsOf(headers['age']);
  const left = Math.min(...maxAges) - age;
  return Number.isNaN(left) ? 0 : Math.max(0, left) * 1_000;
}

/** NaN unless it is a whole number of at most ten digits, in quotes or not. */
function secondsOf(text: string): number {
  const [, digits] = /^"?(\d{1,10})"?$/.exec(text.trim()) ?? [];
  return digits === undefined ? NaN : Number(digits);
}
