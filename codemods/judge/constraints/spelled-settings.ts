/**
 * Settings of programs in other languages which take a variable of the environment by its name in other letters: `api_url: str` of pydantic's `BaseSettings` is
 * `API_URL`, and so are `"api.url"` of Spring and `"Api:Url"` of .NET.
 */
import { escaped } from '../../find/words/literals.ts';

interface Kind {
  readonly of: RegExp;
  /** What tells, in any file of the language, that a library reads the environment so. */
  readonly by: RegExp;
  /** What goes before a name in the environment, or stands between its parts: undefined in the place of a text for what is not written out. */
  readonly begins?: RegExp;
  /** Where a name stands: as a field of what is filled from the environment, or in a text. */
  readonly field?: (words: string) => string;
  /** Where the name is not written out at all, but what it begins or ends with. */
  readonly part?: (name: string) => string;
}

/** What a name begins with, up to each `_`: `envconfig.Process("texts", &c)` fills what stands in `c` from all that begin so. */
const beginning = (before: string, name: string): string =>
  String.raw`(?<=${before}\(\s*(?:ctx,\s*)?["'\x60])(?:${beginsOf(name).join('|')})_?(?=["'\x60])`;
const beginsOf = (name: string): string[] => {
  const words = name.split('_').filter((word) => word !== '');
  return words
    .slice(1)
    .map((_, index) =>
      words
        .slice(0, index + 1)
        .map(escaped)
        .join('_'),
    )
    .concat('(?!)');
};

/** What a name ends with behind one that the program makes: `ENV.fetch("#{service}_URL")`, `os.environ[f"{service}_URL"]`, `os.Getenv(service + "_URL")`. */
const ending = (name: string): string => {
  const words = name.split('_').filter((word) => word !== '');
  const ends = words.slice(1).map(
    (_, index) =>
      `_${words
        .slice(index + 1)
        .map(escaped)
        .join('_')}`,
  );
  return String.raw`(?<=\b(?:ENV|environ|getenv|GetEnvironmentVariable|env::var|env)[\w.]*[[(]\s*(?:[\w.()]+\s*[+.]\s*["'\x60]|[rf$]?["'\x60][^"'\x60\n]*\}))(?:${[...ends, '(?!)'].join('|')})(?=["'\x60])`;
};

const typed = (words: string): string => String.raw`(?<=(?:^[ \t]+|[{,][ \t]*)(?:pub(?:\([a-z]+\))?[ \t]+)?)${words}(?=[ \t]*:(?![:=]))`;

const kinds: readonly Kind[] = [
  {
    of: /\.py$/i,
    by: /\bBaseSettings\b/,
    begins: /\b(?:env_prefix|env_nested_delimiter)["']?\s*[=:]\s*(?:["'](\w*)["'])?/g,
    field: typed,
  },
  // https://www.dynaconf.com/envvars: `settings.API_URL` is `DYNACONF_API_URL`.
  {
    of: /\.py$/i,
    by: /\bdynaconf\b/i,
    begins: /\benvvar_prefix["']?\s*[=:]\s*(?:["'](\w*)["'])?|\b(dynaconf)\b/gi,
    field: (words) => String.raw`(?<=\.)${words}(?!\w)`,
  },
  // https://github.com/sloria/environs#handling-prefixes
  { of: /\.py$/i, by: /\benvirons\b/, part: (name) => beginning(String.raw`\.prefixed`, name) },
  {
    of: /\.rs$/i,
    by: /\bEnv::prefixed\b|\benvy::prefixed\b|\bEnvironment::with_prefix\b/,
    part: (name) => beginning(String.raw`::(?:prefixed|with_prefix)`, name),
  },
  {
    of: /\.go$/i,
    by: /\benvconfig\.|\bkoanf\b/,
    part: (name) => beginning(String.raw`\b(?:envconfig\.(?:Must)?Process|env\.Provider)`, name),
  },
  {
    of: /\.(?:rb|py|php|go|rs|cs|java|kts?|pl|exs?)$/i,
    by: /\b(?:ENV|environ|[gG]etenv|GetEnvironmentVariable|env::var|System\.get_env)\b/,
    part: ending,
  },
  // `{k.lower(): v for k, v in os.environ.items()}`
  {
    of: /\.py$/i,
    by: /\bos\.environ\.items\(|\bdict\(\s*os\.environ\b|\bin\s+os\.environ\s*[:\]}]/,
    begins: /\.startswith\(\s*["'](\w+)["']/g,
  },
  {
    of: /\.rs$/i,
    by: /\benvy::|\bEnvironment::(?:default|with_prefix)\b|\bproviders::(?:\{[^}]*\b)?Env\b/,
    begins: /\b(?:prefixed|with_prefix|prefix_separator|separator)\(\s*(?:"(\w*)")?/g,
    field: typed,
  },
  {
    of: /\.go$/i,
    by: /\bAutomaticEnv\(|\benvconfig\.|\bkoanf\b/,
    begins: /\b(?:SetEnvPrefix|envconfig\.(?:Must)?Process|env\.Provider)\(\s*(?:ctx,\s*)?(?:["`](\w*)["`])?/g,
    field: (words) => String.raw`(?<=^[ \t]+)${words}(?=[ \t]+[\w.*]+[ \t]*(?:\x60|$))`,
  },
  // A field or component of what is called after the beginning of the variables: `record Texts(String url)`.
  {
    of: /\.(?:java|kts?|groovy|scala)$/i,
    by: /@(?:ConfigurationProperties|ConfigMapping)\b/,
    begins: /@(?:ConfigurationProperties|ConfigMapping)\(\s*(?:(?:prefix|value)\s*=\s*)?"([\w.-]+)"/g,
    field: (words) => String.raw`(?<=\b[A-Z]\w*(?:<[^<>]*>)?[ \t]+|\bva[lr][ \t]+)${words}(?=[ \t]*[;,)=:(])`,
  },
  { of: /\.(?:java|kts?|groovy|scala)$/i, by: /@Value\(\s*"\$\{|\bspringframework\b|\bmicronaut\b|\bmicroprofile\b|\bquarkus\b/ },
  {
    of: /\.(?:cs|fs|vb)$/i,
    by: /\bIConfiguration\b|\bConfigurationBuilder\b|\bConfiguration\[/,
    begins: /\bAddEnvironmentVariables\(\s*(?:prefix:\s*)?(?!\s*\))(?:"(\w*)")?/g,
  },
];

/**
 * @param files the programs in other languages
 * @returns what finds a variable by a name in other letters in a file, if such a library reads the environment in its language
 */
export function spelledSettingsIn(
  files: readonly string[],
  textIn: (file: string) => string,
): (file: string, name: string) => RegExp | undefined {
  const known = kinds.flatMap((kind) => {
    const texts = files.filter((file) => kind.of.test(file)).map(textIn);
    if (!texts.some((text) => kind.by.test(text))) return [];
    const begins = texts.flatMap((text) =>
      kind.begins === undefined ? [] : Array.from(text.matchAll(kind.begins), ([, ...said]) => said.find((each) => each !== undefined)),
    );
    const { part } = kind;
    const pattern = part === undefined ? patternsBy(kind, begins) : (name: string) => new RegExp(part(name), 'gim');
    return { of: kind.of, pattern };
  });
  return (file, name) => {
    const [first, ...others] = known.flatMap(({ of, pattern }) => (of.test(file) ? pattern(name) : []));
    return first && (others.length === 0 ? first : new RegExp([first, ...others].map(({ source }) => source).join('|'), first.flags));
  };
}

function patternsBy({ field }: Kind, begins: readonly (string | undefined)[]): (name: string) => RegExp {
  const patterns = new Map<string, RegExp>();
  return (name) => {
    const pattern = patterns.get(name) ?? patternOf(name, begins, field);
    patterns.set(name, pattern);
    return pattern;
  };
}

function patternOf(name: string, begins: readonly (string | undefined)[], field: Kind['field']): RegExp {
  const words = `(?:${[...new Set(begins.reduce(shortened, [name]))].map(inAnyForm).join('|')})`;
  const inText = String.raw`(?<=["'\x60{])${words}(?=["'\x60}:])`;
  return new RegExp(field === undefined ? inText : `${field(words)}|${inText}`, 'gim');
}

/** With a name that is left behind what it begins with; whatever may begin it where that is not written out. */
function shortened(names: readonly string[], begin: string | undefined): string[] {
  const mark = begin === undefined ? '_' : begin.toLowerCase().replaceAll(/[.-]/g, '_');
  const [name = ''] = names;
  const rests =
    mark === '' ? [] : Array.from(name.toLowerCase().matchAll(new RegExp(escaped(mark), 'g')), ({ index }) => index + mark.length);
  return [...names, ...rests.map((at) => name.slice(at).replace(/^_+/, '')).filter((rest) => rest !== '')];
}

/** Between its words may stand whatever a library takes for one `_`, or nothing. */
const inAnyForm = (name: string): string =>
  name
    .split(/_+/)
    .filter((word) => word !== '')
    .map(escaped)
    .join('[_.:-]{0,2}');
