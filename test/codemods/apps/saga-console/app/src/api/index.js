export * as contacts from './contacts';
export { default as campaigns } from './campaigns';
export { default as client, setApiKey } from './client';
