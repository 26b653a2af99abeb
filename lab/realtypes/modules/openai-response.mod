module realtypes.invalid/openai-response

go 1.26

require github.com/sashabaranov/go-openai v1.43.0
