/** Images of containers, by their names. */

/** `python`, `report-python`: runs no JavaScript. */
export const isOfOtherLanguage = (image: string): boolean =>
  /(?:^|[-_/])(?:python|pypy|php|ruby|java|openjdk|corretto|temurin|maven|gradle|golang|dotnet|rust|elixir|perl)\d*(?:[-_]|$)/.test(image);
