/** Variables of which a script takes a part, or makes another text: `${API%/v1}`, `$(API:a=b)` of Make. What comes of a value that moves is not known. */
import type { PassedOn, Stretch } from '../reading.ts';
import { type TextRange, type Text, unplaced } from '../text.ts';
import { type Scope, expansions } from '../variables.ts';
import { partsIn } from '../written.ts';
import { handedUnderTheirNames } from './handed-over.ts';
import type { Run } from './runs.ts';
import { takenByName } from './taken-by-name.ts';

/** What is shown to people. */
const showing = /^@?(?:echo|printf|log\w*|info|warn|error|die)$/;

/** What is taken for a part; `${API%/}` is the variable, and what stands before its first slash or colon no more than a scheme. */
const cut = /\$\{([A-Za-z_]\w*)(?!%%?\/\}|%%[/:]\*\})(?:[#%/]|:\s*-?\d)[^{}]*\}|\$[({](\w+):[^(){}=?+-][^(){}=]*=[^(){}]*[)}]/g;

/** @returns what a command takes of variables, or sets others to */
export function takenFrom(run: Run, stretch: Stretch, scope: Scope): PassedOn[] {
  const { words, sets, start, end } = run;
  const shown = showing.test(words[0]?.value ?? '') ? [] : words;
  const texts = [...shown, ...sets.flatMap(({ value, items = [] }) => [value, ...items])];
  const names = [...texts.flatMap(namesCutIn), ...takenByName(run, stretch, scope)];
  const handed = new Set(handedUnderTheirNames(run, stretch.text));
  return [
    ...names.map((name) => passedOn(name, { start, end }, stretch, scope)),
    ...[...handed].map((name): PassedOn => ({ ...passedOn(name, { start, end }, stretch, scope), isUnderItsName: true })),
  ];
}

const namesCutIn = ({ value }: Text): string[] => Array.from(value.matchAll(cut), ([, name, ofMake]) => name ?? ofMake ?? '');

function passedOn(name: string, { start, end }: TextRange, stretch: Stretch, scope: Scope): PassedOn {
  const parts = expansions(unplaced(`\${${name}}`), scope).flatMap((text) => partsIn(text, stretch));
  return { start: stretch.start + start, end: stretch.start + end, name, parts };
}
