/** The environment, read once and checked: `str('MESSAGING_API_KEY')`, `port('PORT', 3000)`. */
export class ConfigError extends Error {}

type Source = Readonly<Record<string, string | undefined>>;

const validators = (source: Source) => {
  const str = (name: string, otherwise?: string): string => {
    const value = source[name] || otherwise;
    if (value === undefined) throw new ConfigError(`${name} is not set`);
    return value;
  };
  const url = (name: string, otherwise?: string): string => {
    const value = str(name, otherwise);
    if (!URL.canParse(value)) throw new ConfigError(`${name} is no URL`);
    return value.replace(/\/$/, '');
  };
  const port = (name: string, otherwise: number): number => {
    const value = Number(str(name, String(otherwise)));
    if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new ConfigError(`${name} is no port`);
    return value;
  };
  return { str, url, port };
};

export function readConfig(source: Source = process.env) {
  const { str, url, port } = validators(source);
  return Object.freeze({
    port: port('PORT', 3000),
    messaging: { baseUrl: url('MESSAGING_BASE_URL', 'https://api.example.com'), apiKey: str('MESSAGING_API_KEY') },
    calendar: { baseUrl: url('CALENDAR_URL', 'https://calendar.example.net'), apiKey: str('CALENDAR_KEY', 'none') },
  });
}

export type Config = ReturnType<typeof readConfig>;
