export interface NotifyConfig {
  baseUrl: string;
  apiKey: string;
  timeoutMs: number;
}

const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

export function loadConfig(): NotifyConfig {
  return {
    baseUrl: process.env.MESSAGING_BASE_URL ?? 'https://api.example.com',
    apiKey: required('MESSAGING_API_KEY'),
    timeoutMs: Number(process.env.MESSAGING_TIMEOUT_MS ?? 60_000),
  };
}
