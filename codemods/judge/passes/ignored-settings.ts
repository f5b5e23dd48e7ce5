/**
 * Files of settings that git ignores, and that stand there all the same: what a program reads of them goes to v1 until a person changes them, on each machine.
 * Nothing of them is edited.
 */
import { join } from 'node:path';
import { mentionsIn } from '../../escape/ledger/mentions.ts';
import { readIfThere } from '../../find/files/repository.ts';
import type { Walk } from '../../find/walk.ts';
import type { Finding, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { byPlace } from '../merge.ts';

/** Characters of a file that people write: more is a dump of data. */
const maxLength = 50_000;

export function withIgnoredSettings<P extends Pick<Plan, 'findings'>>(
  plan: P,
  { cwd, ignored }: Pick<Walk, 'cwd' | 'ignored'>,
  bases: Bases,
): P {
  const said = mentionsIn(bases);
  const found = ignored.flatMap((file): Finding[] => {
    const text = readIfThere(join(cwd, file)) ?? '';
    if (text.length > maxLength || !text.includes('/v1')) return [];
    const position = positionsOf(text);
    const told = said(text).flatMap(({ kind, start, end }): Finding[] =>
      kind === 'address' ? [{ code: 'unconsumed', file, start, end, ...position(start), detail: { how: 'ignored' } }] : [],
    );
    return told;
  });
  return found.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...found].toSorted(byPlace) };
}
