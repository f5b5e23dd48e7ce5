import rateLimit from 'express-rate-limit';

export const limiter = rateLimit({ windowMs: 60_000, limit: 60, keyGenerator: (req) => req.headers['x-api-key'] ?? req.ip, skip: (req) => req.path === '/v1/messages' });
