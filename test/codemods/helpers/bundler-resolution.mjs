/** `./client` is found where `./client.ts` is: users' sources are written for bundlers. */
import { registerHooks } from 'node:module';

function resolveLikeBundlers(specifier, context, next) {
  if (specifier.startsWith('.')) {
    for (const tried of [
      specifier,
      `${specifier}.ts`,
      `${specifier}.js`,
      `${specifier}/index.ts`,
      `${specifier}/index.js`,
      specifier.replace(/\.js$/, '.ts'),
    ]) {
      try {
        return next(tried, context);
      } catch {
        // The last word is Node's own.
      }
    }
  }
  return next(specifier, context);
}

registerHooks({ resolve: resolveLikeBundlers });
