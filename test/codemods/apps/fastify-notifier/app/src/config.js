const required = (env, name) => {
  const value = env[name];
  if (!value) throw new Error(`${name} is missing`);
  return value;
};

/** Everything that comes from outside, read once. */
export function loadConfig(env = process.env) {
  return {
    port: Number(env.PORT ?? 3000),
    ownKey: required(env, 'OWN_KEY'),
    messaging: { baseUrl: env.MESSAGING_URL ?? 'https://api.example.com', apiKey: required(env, 'MESSAGING_API_KEY') },
    geocoder: { apiKey: env.GEOCODER_KEY ?? '' },
  };
}
