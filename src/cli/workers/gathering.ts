/**
 * Gathers what a turn of the event loop brings, as one message costs as much as many in one.
 * @returns takes one of them
 */
export function gathering<T>(send: (gathered: readonly T[]) => void): (one: T) => void {
  let gathered: T[] = [];
  return (one) => {
    if (gathered.push(one) > 1) return;
    setImmediate(() => {
      send(gathered);
      gathered = [];
    });
  };
}
