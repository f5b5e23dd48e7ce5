import { buildApp } from './app.ts';
import { readConfig } from './config.ts';

const config = readConfig();
const app = buildApp(config);
await app.listen({ port: config.port, host: '0.0.0.0' });
