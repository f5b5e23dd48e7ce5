/** Milliseconds of real time: whoever reads a log knows no other. */
const interval = 60_000;

/**
 * Adds up what is said often, to say it less often: the first time at once, and then at most once a minute.
 * @param say is given the sum since it was called last
 */
export function atMostOnceAMinute(say: (count: number) => void): (count: number) => void {
  let sum = 0;
  let said = -Infinity;
  return (count) => {
    sum += count;
    if (performance.now() - said < interval) return;
    say(sum);
    sum = 0;
    said = performance.now();
  };
}
