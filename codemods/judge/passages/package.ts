/** What is known of one package that documents are about, once edits are made. */
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import type { Passage } from '../../escape/ledger/passages.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Edit, Finding } from '../../model.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import type { CandidateCall } from '../../verdict/bases/candidates.ts';
import type { Moved } from '../moved.ts';
import type { Use } from '../uses-of-v1.ts';
import type { Subjects } from './asking-code.ts';

export interface Known {
  /** All that is moved, by this run or one before. */
  readonly moved: readonly Moved[];
  /** Calls of services that are not known to be ours. */
  readonly others: readonly Pick<CandidateCall, 'base' | 'file' | 'route'>[];
  readonly bases: Bases;
  /** Files that could not be looked at. */
  readonly failures: readonly Finding[];
  readonly files: readonly FoundFile[];
  /** The text of a file. */
  readonly textIn: (file: string) => string;
}

export class Package {
  /** With a slash at its end. */
  readonly folder: string;
  /** By which others import it. */
  name: string | undefined;
  /** What its calls ask for on v2. */
  readonly asked = new Set<V1EndpointId>();
  /** What they ask for of services that are not known to be ours. */
  readonly askedElsewhere = new Set<V1EndpointId>();
  /** What it holds of v1; routes in its examples; a header that is sent with whatever key; what answers requests. */
  readonly holds = new Set<Use | 'examples' | 'any key' | 'answers'>();
  /** Whether a place of it stays for a person. */
  isLeft = false;
  /** Names that such places may be about. */
  readonly namesLeft = new Set<string>();
  /** Variables that its scripts read, and options of clients whose address is moved. */
  readonly read = new Set<string>();
  /** Options of clients whose header is moved. */
  readonly sent = new Set<string>();
  /** Variables that are set to v2, and options that it is the default of. */
  readonly set = new Set<string>();
  /** Variables that are set to our bases. */
  readonly bases = new Set<string>();
  /** Variables that are set to other addresses. */
  readonly elsewhere = new Set<string>();
  /** Variables beside headers that stay. */
  readonly keysKept = new Set<string>();
  /** Variables beside headers that move. */
  readonly keysMoved = new Set<string>();

  constructor(folder: string) {
    this.folder = folder;
  }
}

export const isExampleOf = ({ folder }: Package, file: string): boolean =>
  /^(?:examples?|demos?|samples?)\//.test(file.slice(folder.length));

/** What is looked at, and how its packages are found. */
export interface Search extends Known {
  readonly open: readonly Passage[];
  readonly packages: ReadonlyMap<string, Package>;
  readonly about: (file: string) => readonly Package[];
  readonly named: Subjects;
  readonly editsIn: ReadonlyMap<string, readonly Edit[]>;
}

export function note(
  packages: readonly Package[],
  kind: 'namesLeft' | 'read' | 'sent' | 'set' | 'bases' | 'elsewhere' | 'keysKept' | 'keysMoved',
  names: Iterable<string>,
): void {
  for (const name of names) for (const each of packages) each[kind].add(name);
}
