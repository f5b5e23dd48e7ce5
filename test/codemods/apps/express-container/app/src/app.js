import express from 'express';
import { withServices } from './middleware.js';
import { router } from './routes.js';
import { container } from './services.js';

export function createApp() {
  const app = express();
  app.locals.container = container;
  app.use(express.json());
  app.use(withServices);
  app.use(router);
  return app;
}
