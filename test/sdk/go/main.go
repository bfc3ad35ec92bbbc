// Streams one answer from each API by its official client, and prints what the client makes of them as JSON.
package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	openai1 "github.com/openai/openai-go"
	option1 "github.com/openai/openai-go/option"
	openai2 "github.com/openai/openai-go/v2"
	option2 "github.com/openai/openai-go/v2/option"
	openai3 "github.com/openai/openai-go/v3"
	option3 "github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
)

// What a client has made of a stream; cost is the JSON of the member usage.cost, empty if it has not seen one.
type heard struct {
	Text  string `json:"text"`
	Cost  string `json:"cost"`
	Error string `json:"error"`
}

func of(text, cost string, err error) heard {
	if err != nil {
		return heard{text, cost, err.Error()}
	}
	return heard{text, cost, ""}
}

var (
	ctx    = context.Background()
	base   = os.Getenv("FAREGATE_URL")
	key    = os.Getenv("FAREGATE_KEY")
	model  = os.Getenv("FAREGATE_MODEL")
	prompt = "hello there, gate"
)

const costHeader = "x-faregate-report-cost"

func chat1() heard {
	client := openai1.NewClient(option1.WithBaseURL(base+"/v1"), option1.WithAPIKey(key), option1.WithMaxRetries(0), option1.WithHeader(costHeader, "true"))
	stream := client.Chat.Completions.NewStreaming(ctx, openai1.ChatCompletionNewParams{
		Model: model, Messages: []openai1.ChatCompletionMessageParamUnion{openai1.UserMessage(prompt)},
	})
	text, cost := "", ""
	for stream.Next() {
		chunk := stream.Current()
		for _, choice := range chunk.Choices {
			text += choice.Delta.Content
		}
		if field, ok := chunk.Usage.JSON.ExtraFields["cost"]; ok {
			cost = field.Raw()
		}
	}
	return of(text, cost, stream.Err())
}

func chat2() heard {
	client := openai2.NewClient(option2.WithBaseURL(base+"/v1"), option2.WithAPIKey(key), option2.WithMaxRetries(0), option2.WithHeader(costHeader, "true"))
	stream := client.Chat.Completions.NewStreaming(ctx, openai2.ChatCompletionNewParams{
		Model: model, Messages: []openai2.ChatCompletionMessageParamUnion{openai2.UserMessage(prompt)},
	})
	text, cost := "", ""
	for stream.Next() {
		chunk := stream.Current()
		for _, choice := range chunk.Choices {
			text += choice.Delta.Content
		}
		if field, ok := chunk.Usage.JSON.ExtraFields["cost"]; ok {
			cost = field.Raw()
		}
	}
	return of(text, cost, stream.Err())
}

func chat3() heard {
	client := openai3.NewClient(option3.WithBaseURL(base+"/v1"), option3.WithAPIKey(key), option3.WithMaxRetries(0), option3.WithHeader(costHeader, "true"))
	stream := client.Chat.Completions.NewStreaming(ctx, openai3.ChatCompletionNewParams{
		Model: model, Messages: []openai3.ChatCompletionMessageParamUnion{openai3.UserMessage(prompt)},
	})
	text, cost := "", ""
	for stream.Next() {
		chunk := stream.Current()
		for _, choice := range chunk.Choices {
			text += choice.Delta.Content
		}
		if field, ok := chunk.Usage.JSON.ExtraFields["cost"]; ok {
			cost = field.Raw()
		}
	}
	return of(text, cost, stream.Err())
}

func responses3() heard {
	client := openai3.NewClient(option3.WithBaseURL(base+"/v1"), option3.WithAPIKey(key), option3.WithMaxRetries(0), option3.WithHeader(costHeader, "true"))
	stream := client.Responses.NewStreaming(ctx, responses.ResponseNewParams{
		Model: model, Input: responses.ResponseNewParamsInputUnion{OfString: openai3.String(prompt)},
	})
	text, cost := "", ""
	for stream.Next() {
		event := stream.Current()
		if event.Type == "response.output_text.delta" {
			text += event.AsResponseOutputTextDelta().Delta
		}
		if event.Type == "response.completed" {
			if field, ok := event.AsResponseCompleted().Response.Usage.JSON.ExtraFields["cost"]; ok {
				cost = field.Raw()
			}
		}
	}
	return of(text, cost, stream.Err())
}

func messages() heard {
	client := anthropic.NewClient(anthropicoption.WithBaseURL(base), anthropicoption.WithAPIKey(key), anthropicoption.WithMaxRetries(0), anthropicoption.WithHeader(costHeader, "true"))
	stream := client.Messages.NewStreaming(ctx, anthropic.MessageNewParams{
		Model: anthropic.Model(model), MaxTokens: 1000,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(prompt))},
	})
	cost := ""
	message := anthropic.Message{}
	for stream.Next() {
		event := stream.Current()
		if err := message.Accumulate(event); err != nil {
			return of("", "", err)
		}
		if field, ok := event.Usage.JSON.ExtraFields["cost"]; ok {
			cost = field.Raw()
		}
	}
	text := ""
	for _, block := range message.Content {
		text += block.Text
	}
	return of(text, cost, stream.Err())
}

func main() {
	results := map[string]heard{
		"openai-go 1": chat1(), "openai-go 2": chat2(), "openai-go 3": chat3(), "openai-go 3, Responses": responses3(),
		"anthropic-sdk-go": messages(),
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		panic(err)
	}
}
