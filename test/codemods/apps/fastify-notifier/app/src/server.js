import { buildApp } from './app.js';
import { loadConfig } from './config.js';

const config = loadConfig();
await buildApp(config, { logger: true }).listen({ port: config.port });
