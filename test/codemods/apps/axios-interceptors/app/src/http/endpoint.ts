import type { AxiosInstance, AxiosRequestConfig, Method } from 'axios';

type Params = Record<string, string>;

/** A function for one endpoint: `:id` is filled in. */
export const endpoint =
  <Answer, Body = void>(method: Method, path: string) =>
  async (client: AxiosInstance, body: Body, params: Params = {}, config: AxiosRequestConfig = {}): Promise<Answer> => {
    const url = path.replace(/:(\w+)/g, (_all, name) => encodeURIComponent(params[name] ?? ''));
    const { data } = await client.request<Answer>({ ...config, method, url, data: body });
    return data;
  };
