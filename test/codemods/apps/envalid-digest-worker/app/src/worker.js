import { createMessaging } from './clients/messaging.js';
import { createWeather } from './clients/weather.js';
import { readEnv } from './env.js';
import { sendDigests } from './jobs/digest.js';

const env = readEnv();
const sent = await sendDigests({ messaging: createMessaging(env), weather: createWeather(env), env, log: console.log });
console.log(`${sent.length} digests are on their way`);
