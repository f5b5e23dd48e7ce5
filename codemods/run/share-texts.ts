/**
 * Lets equal texts in data be one. What comes from another thread has a text of its own for every place that it stands in, which for
 * paths in proofs is most of a large run's result. Nothing else of the data changes.
 */
export function shareTexts(data: object, known = new Map<string, string>()): void {
  for (const [key, value] of Object.entries(data)) {
    if (typeof value === 'object' && value !== null) shareTexts(value, known);
    if (typeof value !== 'string') continue;
    const first = known.get(value);
    if (first === undefined) known.set(value, value);
    else Reflect.set(data, key, first);
  }
}
