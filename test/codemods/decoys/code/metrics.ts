const routes = [/^\/v1\/messages\/[^/]+$/, /^\/v1\/contacts(\/[^/]+)?$/];

export const routeOf = (path: string): string => (routes.some((route) => route.test(path)) ? path.replace(/[^/]+$/, ':id') : 'other');

export const buckets = { '/v1/messages': [0.1, 0.5], '/v1/messages/send': [0.2, 1] };
