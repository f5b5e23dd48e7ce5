/** What a program tells those who run it of its commands and fields: it repeats nothing, and each line may be wrong once the calls are moved. */
import { lastName } from '../clients/names.ts';
import type { World } from '../evaluate/program.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { Node } from '../syntax/tree.ts';
import { importedBy } from './reach.ts';

const methods =
  /^(?:meow|(?:add)?[hH]elp(?:Text|Option)?|usage|epilog(?:ue)?|examples?|desc(?:ription|ribe)?|summary|(?:required)?[oO]ption|argument|positional|command)$/;
const fields = /^(?:help(?:Text)?|usage|epilog(?:ue)?|examples?|desc(?:ription|ribe)?|summary)$/;

/** `.option('--key <key>', 'sent as x-api-key')`, `{ describe: '…' }`, `static description = '…'` of a command. */
export function isHelp({ parent }: Node): boolean {
  if (parent?.kind === 'array') return isHelp(parent);
  if (parent?.kind === 'call') return methods.test(lastName(parent.callee));
  return (parent?.kind === 'property' || parent?.kind === 'classMember') && fields.test(parent.name ?? '');
}

/** @returns whether a file imports one of some files, by way of any number of others */
export function leadingTo(world: World, files: ReadonlySet<string>): (module: SourceModule) => boolean {
  return (module) => {
    const reached = new Set([module]);
    // A set that grows while it is walked.
    for (const each of reached) {
      if (files.has(each.file)) return true;
      for (const specifier of importedBy(each)) {
        const target = world.resolve(each, specifier);
        if (target !== undefined) reached.add(target);
      }
    }
    return false;
  };
}
