/** The middleware of Next.js, which sets headers on what the rewrites of its configuration pass on, and imports nothing of that. */
const config = /^((?:.*\/)?)next\.config\.[cm]?[jt]s$/;
const middleware = ['middleware', 'src/middleware', 'proxy', 'src/proxy'].flatMap((name) => [`${name}.ts`, `${name}.js`]);

/** @returns none where the file is no configuration of Next.js */
export function middlewareOf(file: string, has: (other: string) => boolean): readonly string[] {
  const [, folder] = config.exec(file) ?? [];
  return folder === undefined ? [] : middleware.map((name) => `${folder}${name}`).filter(has);
}
