/** Headers in the words of a command. */
import { type Text, join, slice } from '../text.ts';
import { type Scope, referencesIn } from '../variables.ts';
import type { Header } from '../written.ts';

/** `name: value`; variables are only put in until the name is seen, so that the key is changed where it is sent. */
export function headerOf(word: Text, scope: Scope): Header | undefined {
  let text = word;
  for (let depth = 0; depth < 5; depth++) {
    const colon = /^\s*[\w-]+\s*:/.exec(text.value)?.[0].length;
    if (colon !== undefined) {
      const blank = /^\s*/.exec(text.value.slice(colon))?.[0].length ?? 0;
      return { name: slice(text, 0, colon - 1), value: slice(text, colon + blank) };
    }
    const [reference] = referencesIn(text.value);
    const [definition, another] = reference?.start === 0 ? scope.get(reference.name) : [];
    if (reference === undefined || definition === undefined || another !== undefined) return undefined;
    text = join([definition.value, slice(text, reference.end)]);
  }
  return undefined;
}
