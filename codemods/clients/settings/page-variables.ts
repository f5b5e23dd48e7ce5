/** Variables of the environment that what builds pages, or applications on phones, writes into them, by the prefixes that tell it so. */
export const publicVariables = /^(?:NEXT_PUBLIC|VITE|REACT_APP|NUXT_PUBLIC|PUBLIC|EXPO_PUBLIC|GATSBY|VUE_APP|NG_APP)_/;

/** Those that bundlers put into what they make as `.env` files beside that have them. */
export const readsEnvFiles = /^(?:VITE|NEXT_PUBLIC|REACT_APP|VUE_APP|EXPO_PUBLIC)_/;

/** What keeps Expo from reading `.env` files, or from what these set: https://docs.expo.dev/guides/environment-variables/#disabling-environment-variables. */
export const withoutFiles = /\bEXPO_NO_(?:DOTENV|CLIENT_ENV_VARS)\b/;

export const isOfExpo = (name: string): boolean => name.startsWith('EXPO_PUBLIC_');

/** What builds pages or is part of them, where a package.json names it. */
export const buildingPages =
  /\b(?:parcel|webpack|rspack|rsbuild|rollup|esbuild|vite|snowpack|browserify|turbopack|bun|ts(?:up|down)|next|nuxt|gatsby|astro|remix|svelte|angular|ng|vue|react|preact|solid-js|ember|lit|expo|storybook|gulp|grunt)\b/;
