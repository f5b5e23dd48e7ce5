/** Files of Compose by their names; stacks of Swarm have any. */

export const isCompose = (file: string): boolean => /(?:^|\/)(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$/i.test(file);

/** What starts containers with variables that it need say no more of than their names: `environment: [API_URL]`. */
export const startsServices = (text: string): boolean => /^["']?services["']?:/m.test(text);
