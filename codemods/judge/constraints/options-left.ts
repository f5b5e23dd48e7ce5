/**
 * A client that a framework makes has its base from an option of which tests alone say that it is ours. Where a file of the project has our base under
 * that option's name, and it stays, so does the client: it would ask by v1's base with v2's header. So it is with a default beside a setting of a framework.
 */
import type { Left, VariableUse } from '../../uses-between-components.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { escaped } from '../../find/words/literals.ts';
import type { LedgerEntry } from '../../model.ts';
import type { Position } from '../../syntax/position.ts';
import type { Member } from './between-components.ts';

type Place = Pick<LedgerEntry, 'file' | 'start' | 'end'> & Position;

/** @param isOpen whether no comment lets a place stay as it is */
export function leftWithOptions(members: readonly Member[], textIn: (file: string) => string, isOpen: (place: Place) => boolean): Left[] {
  const options: Option[] = members.flatMap(({ findings }) =>
    findings.flatMap(({ code, group, detail: { name = '', how } }) => {
      const option = code === 'env-elsewhere' && how === undefined ? /(?:^|\.)([A-Za-z_$][\w$]*)$/.exec(name)?.[1] : undefined;
      return option === undefined || group === undefined ? [] : [{ group, name, option }];
    }),
  );
  options.push(...members.flatMap(({ variables }) => variables.flatMap(settingOf)));
  if (options.length === 0) return [];
  const staying = members
    .flatMap(({ ledger }) => ledger)
    .filter((entry) => entry.state === 'person' && entry.reason === 'unconsumed' && !isTest(entry) && isOpen(entry));
  return options.flatMap(({ group, name, option }) => {
    const written = new RegExp(`(?<![\\w$])${escaped(option)}["']?\\s*[:=](?:[^\\n,;{}]*|\\s*[\\w$.]+\\([^\\n;{}()]*)$`);
    const by = staying.find(({ file, start }) => written.test(textIn(file).slice(Math.max(0, start - maxLine), start)));
    const edits = by === undefined ? [] : members.flatMap((member) => member.edits.filter((edit) => edit.group === group));
    return edits.map(({ file, start, end }): Left => ({ file, start, end, name, by: `${by?.file}:${by?.line}`, why: 'setting' }));
  });
}

const maxLine = 500;

interface Option {
  readonly group: string;
  readonly name: string;
  readonly option: string;
}

/** What a package or a framework holds beside a default that moves: `strapi.config.get('plugin::texts').baseUrl`. */
const settingOf = ({ name, setting, group }: VariableUse): Option[] =>
  setting === undefined || group === undefined ? [] : [{ group, name, option: setting }];
