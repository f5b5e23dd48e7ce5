export class VendorClient {
  constructor(private readonly key: string, private readonly root = 'https://gateway.vendor.one/v1') {}

  messages(): Promise<Response> {
    return fetch(`${this.root}/messages`, { headers: { 'x-api-key': this.key } });
  }

  send(body: object): Promise<Response> {
    return fetch(`${this.root}/messages/send`, { method: 'POST', headers: { 'x-api-key': this.key }, body: JSON.stringify(body) });
  }
}

export const vendor = new VendorClient(process.env.VENDOR_KEY ?? '');
