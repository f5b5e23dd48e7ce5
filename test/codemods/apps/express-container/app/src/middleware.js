import { container } from './services.js';

/** Hands the services to every handler. */
export const withServices = (req, res, next) => {
  req.messaging = container.resolve('messaging');
  res.locals.reminders = container.resolve('reminders');
  next();
};

export function requireKey(req, res, next) {
  if (req.get('x-api-key') !== process.env.OWN_KEY) return res.status(401).end();
  return next();
}
