import { bool, cleanEnv, makeValidator, num, str, url } from 'envalid';

const apiKey = makeValidator((input) => {
  if (input.length < 8) throw new Error('A key has eight letters at least');
  return input;
});

export const readEnv = (from = process.env) =>
  cleanEnv(from, {
    NODE_ENV: str({ choices: ['development', 'test', 'production'], default: 'production' }),
    MESSAGING_API_URL: url({ default: 'https://api.example.com/v1', desc: 'Where contacts and messages are' }),
    MESSAGING_API_KEY: apiKey({ devDefault: 'test-key' }),
    WEATHER_URL: url({ default: 'https://weather.example.net/v1' }),
    WEATHER_KEY: str({ devDefault: 'weather-key' }),
    DIGEST_LIMIT: num({ default: 50 }),
    DRY_RUN: bool({ default: false }),
  });
