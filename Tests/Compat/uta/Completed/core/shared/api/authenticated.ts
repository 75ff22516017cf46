// AuthenticatedApiClient: the document says that it injects the bearer and refreshes tokens, and shows neither.
import axios, { AxiosRequestConfig, isAxiosError } from 'axios';
import { authEventHelpers } from '@/core/domains/auth/events';
import { tokenService } from '@/core/domains/auth/tokenService';
import { BaseApiClient } from './base';

export class AuthenticatedApiClient extends BaseApiClient {
  private readonly baseURL?: string;
  private refreshing: Promise<void> | null = null;

  constructor(config?: AxiosRequestConfig) {
    super(config);
    this.baseURL = config?.baseURL;
    this.client.interceptors.request.use(async (request) => {
      const token = await tokenService.getAccessToken();
      return token ? { ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } as any } : request;
    });
    this.client.interceptors.response.use((answer) => answer, (error) => this.repeated(error));
  }

  /** Once more with new tokens, if it was refused for its token; requests that wait share one refresh. */
  private async repeated(error: any) {
    if (error.response?.status !== 401 || error.config.isRepeated) throw error;
    this.refreshing ??= this.refreshed(error.config.headers.Authorization).finally(() => (this.refreshing = null));
    await this.refreshing;
    return this.client.request({ ...error.config, isRepeated: true });
  }

  /** New tokens in the place of the refused one, unless another request has been faster. */
  private async refreshed(refused?: string): Promise<void> {
    const token = await tokenService.getAccessToken();
    if (token && refused !== `Bearer ${token}`) return;
    const refreshToken = await tokenService.getRefreshToken();
    try {
      const { data } = await axios.post('/auth/refresh', { refreshToken }, { baseURL: this.baseURL });
      await tokenService.setTokens(data.tokens.access, data.tokens.refresh);
      authEventHelpers.notifyTokenRefreshed(data.tokens.access);
    } catch (error) {
      // An outage says nothing about the session.
      if (isAxiosError(error) && [400, 401, 403].includes(error.response?.status ?? 0)) await this.ended();
      throw error;
    }
  }

  private async ended() {
    await tokenService.clearTokens();
    authEventHelpers.notifySessionExpired();
  }
}
