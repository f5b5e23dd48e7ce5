/** Packages whose instances keep what they are given under a key, in memory alone, and give it back by the same key. */
const memoryCaches = new Set(['lru-cache', 'quick-lru', 'tiny-lru', '@isaacs/ttlcache', 'node-cache']);

export const isMemoryCache = (specifier: string): boolean => memoryCaches.has(specifier);
