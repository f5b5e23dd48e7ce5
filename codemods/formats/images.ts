/** Images of containers, by their names. */

/** `python`, `report-python`: runs no JavaScript. */
export const isOfOtherLanguage = (image: string): boolean =>
  /(?:^|[-_/])(?:python|pypy|php|ruby|java|openjdk|corretto|temurin|maven|gradle|golang|dotnet|rust|elixir|perl)\d*(?:[-_]|$)/.test(image);

/** What a container that runs already is, a service of Compose, or an image that is built: of these files where any image is. */
export const isOfFolder = (image: string): boolean => /^[a-z-]+ (?:exec|run|build|bud)(?: \S+)?$/.test(image);

/** What the service, or the container, is called that is meant by that. */
export const calledInFolder = (image: string): string => image.split(' ')[2] ?? '';
