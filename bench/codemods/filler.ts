/**
 * What source code is mostly made of: types, tables, classes, reducers, components. Each piece is some 10 to 25 lines that parse in the
 * file's dialect and declare names that no other piece of the file has. None of it speaks of v1.
 */
import type { Random } from './random.ts';

export interface Dialect {
  /** TypeScript: annotations are written. */
  readonly typed: boolean;
  readonly jsx: boolean;
}

/** What a piece is written with. */
export interface Pen extends Dialect {
  readonly random: Random;
  /** A name in PascalCase that the file does not have yet. */
  readonly fresh: () => string;
}

const adjectives = [
  'Active',
  'Archived',
  'Billing',
  'Customer',
  'Daily',
  'Draft',
  'Pending',
  'Regional',
  'Shared',
  'Stale',
  'Team',
  'Visible',
];
const nouns = ['Account', 'Audience', 'Booking', 'Budget', 'Channel', 'Contact', 'Export', 'Filter', 'Folder', 'Invoice', 'Label', 'Order'];
const fields = [
  'amount',
  'createdAt',
  'currency',
  'email',
  'owner',
  'phone',
  'quantity',
  'region',
  'score',
  'status',
  'total',
  'updatedAt',
];

/** A name for something, without a promise that it is the only one. */
export function nameOf(random: Random): string {
  return `${random.pick(adjectives)}${random.pick(nouns)}`;
}

export function camel(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Pieces one after another until there are at least so many lines. */
export function filler(pen: Pen, lines: number): string[] {
  const pieces = pen.jsx ? [...scripts, ...components] : scripts;
  const written: string[] = [];
  while (written.length < lines) written.push(...pen.random.pick(pieces)(pen).split('\n'), '');
  return written;
}

/** The annotation, where the dialect has any. */
function type(pen: Pen, annotation: string): string {
  return pen.typed ? annotation : '';
}

type Piece = (pen: Pen) => string;

const record: Piece = (pen) => {
  const name = pen.fresh();
  const [first, second] = [pen.random.pick(fields), pen.random.below(90) + 10];
  const shape = `export interface ${name} {
  readonly id: string;
  readonly ${first}?: string;
  readonly weight: number;
  readonly tags: readonly string[];
}
`;
  return `${pen.typed ? shape : `/** @typedef {{ id: string, ${first}?: string, weight: number, tags: string[] }} ${name} */`}
export function create${name}(id${type(pen, ': string')}, tags${type(pen, ': readonly string[]')} = [])${type(pen, `: ${name}`)} {
  const weight = tags.length === 0 ? ${second} : Math.min(tags.length * 3, ${second});
  return { id, weight, tags: tags.filter((tag) => tag !== '').map((tag) => tag.trim().toLowerCase()) };
}`;
};

const grouping: Piece = (pen) => {
  const name = pen.fresh();
  const field = pen.random.pick(fields);
  return `/** Groups rows by their ${field}, largest group first. */
export function group${name}(rows${type(pen, ': readonly Record<string, string>[]')}) {
  const groups = new Map${type(pen, '<string, Record<string, string>[]>')}();
  for (const row of rows) {
    const key = row['${field}'] ?? 'unknown';
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  // Constraints keep the order in which they came.
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}`;
};

const cache: Piece = (pen) => {
  const name = pen.fresh();
  return `export class ${name}Cache {
  ${type(pen, 'private readonly ')}entries = new Map${type(pen, '<string, { value: unknown; expires: number }>')}();
  ${type(pen, 'private readonly ')}lifetime${type(pen, ': number')};

  constructor(lifetime${type(pen, ': number')} = ${pen.random.below(50) + 10}_000) {
    this.lifetime = lifetime;
  }

  get(key${type(pen, ': string')}) {
    const entry = this.entries.get(key);
    if (!entry || entry.expires < Date.now()) return undefined;
    return entry.value;
  }

  set(key${type(pen, ': string')}, value${type(pen, ': unknown')}) {
    this.entries.set(key, { value, expires: Date.now() + this.lifetime });
    if (this.entries.size > 500) this.entries.delete([...this.entries.keys()][0]${type(pen, " ?? ''")});
  }
}`;
};

const reducer: Piece = (pen) => {
  const name = pen.fresh();
  const topic = pen.random.pick(nouns).toLowerCase();
  const union = `type ${name}Action = { type: '${topic}/loaded'; items: string[] } | { type: '${topic}/selected'; id: string } | { type: '${topic}/cleared' };\n\n`;
  return `${type(pen, union)}export const initial${name} = { items: []${type(pen, ' as string[]')}, selected: ''${type(pen, ' as string')}, loading: false };

export function reduce${name}(state = initial${name}, action${type(pen, `: ${name}Action`)}) {
  switch (action.type) {
    case '${topic}/loaded':
      return { ...state, items: action.items, loading: false };
    case '${topic}/selected':
      return { ...state, selected: state.selected === action.id ? '' : action.id };
    case '${topic}/cleared':
      return initial${name};
    default:
      return state;
  }
}`;
};

const table: Piece = (pen) => {
  const name = camel(pen.fresh());
  const rows = Array.from({ length: 6 + pen.random.below(8) }, (_, index) => {
    const field = pen.random.pick(fields);
    return `  { key: '${field}${index}', label: '${pen.random.pick(adjectives)} ${field}', width: ${pen.random.below(200) + 40}, sortable: ${index % 2 === 0} },`;
  });
  return `export const ${name}Columns = [\n${rows.join('\n')}\n]${type(pen, ' as const')};`;
};

const validation: Piece = (pen) => {
  const name = pen.fresh();
  const [one, other] = [pen.random.pick(fields), pen.random.pick(fields)];
  return `const ${camel(name)}Pattern = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/i;

export function validate${name}(input${type(pen, ': Record<string, unknown>')}) {
  const problems${type(pen, ': string[]')} = [];
  const value = input['${one}'];
  if (typeof value !== 'string' || value.trim() === '') problems.push('${one} is required');
  else if (!${camel(name)}Pattern.test(value)) problems.push(\`${one} has characters that are not allowed: \${value}\`);
  if (input['${other}'] !== undefined && !Number.isFinite(Number(input['${other}']))) problems.push("${other} isn't a number");
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  return { ...input, checked: true };
}`;
};

const backend: Piece = (pen) => {
  const name = pen.fresh();
  const route = camel(pen.random.pick(nouns));
  return `/** Asks our own backend; a failed attempt is tried again, each time after a longer pause. */
export async function load${name}(id${type(pen, ': string')}, attempts = 3)${type(pen, ': Promise<unknown>')} {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const response = await fetch(\`/api/${route}s/\${id}?expand=\${attempt > 1}\`, { headers: { Accept: 'application/json' } });
    if (response.ok) return response.json();
    if (response.status < 500) break;
    await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 100));
  }
  throw new Error('${route} could not be loaded');
}`;
};

const format: Piece = (pen) => {
  const name = pen.fresh();
  return `export const format${name} = (value${type(pen, ': number')}, locale = 'en-GB')${type(pen, ': string')} => {
  const absolute = Math.abs(value);
  if (absolute >= 1e9) return \`\${(value / 1e9).toFixed(1)} bn\`;
  if (absolute >= 1e6) return \`\${(value / 1e6).toFixed(1)} m\`;
  return new Intl.NumberFormat(locale, { maximumFractionDigits: ${pen.random.below(4)} }).format(value);
};

export const ${camel(name)}Total = (rows${type(pen, ': readonly number[]')}) => rows.reduce((sum, row) => sum + row, 0);`;
};

const list: Piece = (pen) => {
  const name = pen.fresh();
  const props = type(pen, ': { items: { id: string; title: string }[]; onOpen: (id: string) => void }');
  return `export function ${name}List({ items, onOpen }${props}) {
  const [query, setQuery] = useState('');
  const shown = useMemo(() => items.filter((item) => item.title.includes(query)), [items, query]);
  if (items.length === 0) return <p className="empty">Nothing here yet – <a href="/contacts/new">add a contact</a></p>;
  return (
    <section className="list" aria-label="${name}">
      <input value={query} onChange={(event) => setQuery(event.target.value)} placeholder="Search" />
      {shown.map((item) => (
        <article key={item.id} onClick={() => onOpen(item.id)}>
          <h3>{item.title}</h3>
          <a href={\`/contacts/\${item.id}\`}>Open</a>
        </article>
      ))}
      <footer>{shown.length === items.length ? 'All shown' : \`\${shown.length} of \${items.length}\`}</footer>
    </section>
  );
}`;
};

const panel: Piece = (pen) => {
  const name = pen.fresh();
  const field = pen.random.pick(fields);
  return `export const ${name}Panel = ({ title, children }${type(pen, ': { title: string; children?: unknown }')}) => {
  const [open, setOpen] = useState(${pen.random.below(2) === 0});
  const label = open ? 'Hide' : 'Show';
  return (
    <div className={open ? 'panel panel--open' : 'panel'} data-field="${field}">
      <header>
        <h2>{title}</h2>
        <button type="button" onClick={() => setOpen((before) => !before)} style={{ marginLeft: ${pen.random.below(16)} }}>
          {label} {title.toLowerCase()}
        </button>
      </header>
      {open && <div className="panel__body">{children${type(pen, ' as string')}}</div>}
    </div>
  );
};`;
};

const scripts: readonly Piece[] = [record, grouping, cache, reducer, table, validation, backend, format];
const components: readonly Piece[] = [list, panel, list, panel];
