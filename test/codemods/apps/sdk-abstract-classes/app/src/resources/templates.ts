import { Resource } from './resource.js';

export interface Template {
  id: string;
  text: string;
}

/** Was announced, and never came. */
export class Templates extends Resource<Template> {
  protected readonly path = '/templates';

  render(id: string, values: Record<string, string>): Promise<{ text: string }> {
    return this.client.request('POST', `${this.path}/${encodeURIComponent(id)}/render`, { body: values });
  }
}
