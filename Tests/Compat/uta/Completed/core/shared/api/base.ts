// BaseApiClient: the document builds on it and refers to another guide. "These methods in BaseApiClient already include
// try/catch and use handleError."
import axios, { AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';

export class BaseApiClient {
  protected readonly client: AxiosInstance;

  constructor(config?: AxiosRequestConfig) {
    this.client = axios.create(config);
  }

  get<Data = any>(url: string, config?: AxiosRequestConfig) {
    return this.attempt(() => this.client.get<Data>(url, config));
  }

  post<Data = any>(url: string, data?: unknown, config?: AxiosRequestConfig) {
    return this.attempt(() => this.client.post<Data>(url, data, config));
  }

  put<Data = any>(url: string, data?: unknown, config?: AxiosRequestConfig) {
    return this.attempt(() => this.client.put<Data>(url, data, config));
  }

  patch<Data = any>(url: string, data?: unknown, config?: AxiosRequestConfig) {
    return this.attempt(() => this.client.patch<Data>(url, data, config));
  }

  delete<Data = any>(url: string, config?: AxiosRequestConfig) {
    return this.attempt(() => this.client.delete<Data>(url, config));
  }

  /** What callers catch: axios' own error, since `sanitizeError` reads its `response.status`. */
  protected handleError(error: unknown): unknown {
    return error;
  }

  private async attempt<Data>(request: () => Promise<AxiosResponse<Data>>): Promise<AxiosResponse<Data>> {
    try {
      return await request();
    } catch (error) {
      throw this.handleError(error);
    }
  }
}
